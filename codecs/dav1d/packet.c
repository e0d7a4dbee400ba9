/* SPDX-License-Identifier: MIT */
/* Open bitstream units (5.3, 5.11.1) around bytes that are there already.
 */
#include "codecs/dav1d/packet.h"

#include "util/alloc.h"
#include "util/checked.h"

#include <string.h>

/* obu_header() with obu_has_size_field (5.3.2), by obu_type. */
#define SEQUENCE_HEADER_OBU (1 << 3 | 1 << 1)
#define FRAME_OBU (6 << 3 | 1 << 1)

#define MAX_OBU_HEADER_B 9
#define TILE_SIZE_B 4

void
rp_dav1d_packet_finish(struct rp_dav1d_packet *packet)
{
    rp_free(NULL, packet->data);
    *packet = (struct rp_dav1d_packet){.data = NULL};
}

/* Empty, with room for size_B. */
static bool
packet_begin(struct rp_dav1d_packet *packet, size_t size_B)
{
    packet->size_B = 0;
    if (size_B <= packet->capacity_B)
        return true;
    rp_dav1d_packet_finish(packet);
    const size_t capacity_B = size_B + size_B / 2;
    packet->data =
        rp_alloc(NULL, capacity_B, _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!packet->data)
        return false;
    packet->capacity_B = capacity_B;
    return true;
}

static void
put_bytes(struct rp_dav1d_packet *packet, const uint8_t *data, size_t size_B)
{
    memcpy(packet->data + packet->size_B, data, size_B);
    packet->size_B += size_B;
}

static void
put_obu_header(struct rp_dav1d_packet *packet, uint8_t header, size_t payload_B)
{
    packet->data[packet->size_B++] = header;
    for (; payload_B >= 0x80; payload_B >>= 7) /* leb128() (4.10.5) */
        packet->data[packet->size_B++] = (uint8_t)(payload_B | 0x80);
    packet->data[packet->size_B++] = (uint8_t)payload_B;
}

/* tile_size_minus_1, little endian. */
static void
put_tile_size(struct rp_dav1d_packet *packet, uint32_t size_B)
{
    for (uint32_t i = 0; i < TILE_SIZE_B; i++)
        packet->data[packet->size_B++] = (uint8_t)((size_B - 1) >> (8 * i));
}

/* False when they cannot be the tiles of a frame. */
static bool
sum_tiles(const struct rp_av1_decode_job *job, size_t *sum_B)
{
    *sum_B = 0;
    for (uint32_t i = 0; i < job->tile_count; i++) {
        if (job->tile_sizes_B[i] == 0 ||
            !rp_range_fits(job->tile_offsets_B[i], job->tile_sizes_B[i], job->common.data_B))
            return false;
        *sum_B += job->tile_sizes_B[i];
    }
    return job->tile_count > 0 && *sum_B <= job->common.data_B && *sum_B <= INT32_MAX;
}

enum rp_codec_status
rp_dav1d_packet_make(struct rp_dav1d_packet *packet, const struct rp_av1_decode_job *job,
                     bool has_sequence_header)
{
    size_t tiles_B;
    if (!sum_tiles(job, &tiles_B))
        return RP_CODEC_FAILED;

    const size_t payload_B =
        job->frame_header_B + (job->tile_count - 1) * (size_t)TILE_SIZE_B + tiles_B;
    if (!packet_begin(packet, 2 * MAX_OBU_HEADER_B + job->sequence_header_B + payload_B))
        return RP_CODEC_NO_MEMORY;
    if (has_sequence_header) {
        put_obu_header(packet, SEQUENCE_HEADER_OBU, job->sequence_header_B);
        put_bytes(packet, job->sequence_header, job->sequence_header_B);
    }
    put_obu_header(packet, FRAME_OBU, payload_B);
    put_bytes(packet, job->frame_header, job->frame_header_B);
    for (uint32_t i = 0; i < job->tile_count; i++) {
        if (i + 1 < job->tile_count)
            put_tile_size(packet, job->tile_sizes_B[i]);
        put_bytes(packet, job->common.data + job->tile_offsets_B[i], job->tile_sizes_B[i]);
    }
    return RP_CODEC_OK;
}
