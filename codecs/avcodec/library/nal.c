/* SPDX-License-Identifier: MIT */
/* NAL unit reading and writing by runs between zero bytes.
 */
#include "codecs/avcodec/library/nal.h"

#include "util/alloc.h"
#include "util/checked.h"

#include <string.h>

void
rp_avcodec_buffer_finish(struct rp_avcodec_buffer *buf)
{
    rp_free(NULL, buf->data);
    *buf = (struct rp_avcodec_buffer){.data = NULL};
}

bool
rp_avcodec_buffer_reserve(struct rp_avcodec_buffer *buf, size_t size_B)
{
    size_t wanted_B;
    if (!rp_add_size(buf->size_B, size_B, &wanted_B))
        return false;
    if (wanted_B <= buf->capacity_B)
        return true;
    if (!rp_add_size(wanted_B, wanted_B / 2 + 4096, &wanted_B))
        return false;

    uint8_t *data =
        rp_alloc(NULL, wanted_B, _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!data)
        return false;
    if (buf->size_B)
        memcpy(data, buf->data, buf->size_B);
    rp_free(NULL, buf->data);
    buf->data = data;
    buf->capacity_B = wanted_B;
    return true;
}

/* Bytes before the next zero byte, or size_B. */
static size_t
run_length(const uint8_t *src, size_t size_B)
{
    const uint8_t *zero = memchr(src, 0, size_B);
    return zero ? (size_t)(zero - src) : size_B;
}

static void
buffer_put(struct rp_avcodec_buffer *buf, const uint8_t *src, size_t size_B)
{
    if (size_B)
        memcpy(buf->data + buf->size_B, src, size_B);
    buf->size_B += size_B;
}

bool
rp_avcodec_buffer_append(struct rp_avcodec_buffer *buf, const uint8_t *src, size_t size_B)
{
    if (!rp_avcodec_buffer_reserve(buf, size_B))
        return false;
    buffer_put(buf, src, size_B);
    return true;
}

/* Bytes before 00 00 00 or 00 00 01. */
static size_t
payload_size(const uint8_t *src, size_t size_B)
{
    size_t i = 0;
    while (i + 2 < size_B) {
        i += run_length(src + i, size_B - i);
        if (i + 2 < size_B && src[i + 1] == 0 && src[i + 2] <= 1)
            return i;
        i++;
    }
    return size_B;
}

void
rp_avcodec_nal_copy(struct rp_avcodec_buffer *buf, const uint8_t *src, size_t size_B)
{
    const size_t begin_B = buf->size_B;
    buffer_put(buf, src, size_B);
    buf->size_B = begin_B + payload_size(buf->data + begin_B, size_B);
}

size_t
rp_avcodec_nal_read(struct rp_avcodec_buffer *buf, const uint8_t *src, size_t size_B)
{
    const size_t begin_B = buf->size_B;
    size_t i = 0;
    while (i < size_B) {
        const size_t run_B = run_length(src + i, size_B - i);
        buffer_put(buf, src + i, run_B);
        i += run_B;
        if (i == size_B)
            break;

        if (size_B - i < 3 || src[i + 1] != 0) {
            buf->data[buf->size_B++] = 0;
            i++;
            continue;
        }
        const uint8_t third = src[i + 2];
        if (third <= 1)
            break; /* 7.4.1: 00 00 00 and 00 00 01 do not occur inside a NAL unit */
        buffer_put(buf, (const uint8_t[]){0, 0, third}, third == 3 ? 2 : 3);
        i += 3;
    }
    while (buf->size_B > begin_B && buf->data[buf->size_B - 1] == 0)
        buf->size_B--;
    return i;
}

void
rp_avcodec_nal_begin(struct rp_avcodec_buffer *buf, uint8_t header)
{
    buffer_put(buf, (const uint8_t[]){0, 0, 0, 1, header}, 5);
    buf->zero_count = 0;
}

void
rp_avcodec_nal_append(struct rp_avcodec_buffer *buf, const uint8_t *rbsp, size_t size_B)
{
    size_t i = 0;
    while (i < size_B) {
        if (buf->zero_count == 0) {
            const size_t run_B = run_length(rbsp + i, size_B - i);
            buffer_put(buf, rbsp + i, run_B);
            i += run_B;
            if (i == size_B)
                break;
        }
        const uint8_t byte = rbsp[i++];
        if (buf->zero_count == 2 && byte <= 3) {
            buf->data[buf->size_B++] = 3;
            buf->zero_count = 0;
        }
        buf->data[buf->size_B++] = byte;
        buf->zero_count = byte ? 0 : buf->zero_count + 1;
    }
}
