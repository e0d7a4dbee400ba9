/* SPDX-License-Identifier: MIT */
#include "capture/memory.h"

#include "capture/hashing.h"
#include "capture/touches.h"
#include "format/format.h"
#include "object/buffer.h"
#include "util/alloc.h"
#include "util/checked.h"

#include <string.h>

void
rp_capture_expect_descriptors(struct rp_capture *capture, const uint8_t *at, uint64_t size_B)
{
    struct rp_capture_device *c = rp_capture_device_of(capture);
    for (uint32_t i = 0; i < c->descriptors_count; i++)
        if (c->descriptors[i].at == at && c->descriptors[i].size_B == size_B)
            return;
    if (rp_grow_array(&c->descriptors, c->descriptors_count, &c->descriptors_capacity,
                      sizeof(*c->descriptors)))
        c->descriptors[c->descriptors_count++] = (struct rp_capture_descriptors){
            .at = at, .size_B = size_B, .hash = rp_hash(0, at, size_B)};
    else
        rp_capture_end(c, "ends: no memory");
}

void
rp_capture_output(struct rp_capture *capture, const uint8_t *data, uint64_t size_B)
{
    struct rp_capture_device *c = rp_capture_device_of(capture);

    pthread_mutex_lock(&c->mutex);
    for (uint32_t i = 0; i < c->touch_count; i++) {
        struct rp_capture_touch *touch = &c->touches[i];
        if (touch->access & RP_CAPTURE_OUTPUT &&
            ((const struct rp_buffer *)touch->object->obj)->host + touch->offset_B == data)
            touch->output_B = RP_MIN(size_B, touch->size_B);
    }
    pthread_mutex_unlock(&c->mutex);
}

static bool
hashes_reserve(struct rp_capture_device *c, struct rp_capture_object *object, size_t count)
{
    if (object->hashes)
        return true;
    object->hashes =
        rp_zalloc_array(NULL, count, sizeof(uint64_t), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    object->hash_count = object->hashes ? count : 0;
    if (!object->hashes)
        rp_capture_end(c, "ends: no memory");
    return object->hashes != NULL;
}

static uint64_t
page_end(const struct rp_buffer *buf, uint64_t page)
{
    return RP_MIN((page + 1) * RP_CONTENT_PAGE_B, buf->size_B);
}

/* NULL: the capture has ended. */
static uint8_t *
piece_open(struct rp_capture_device *c)
{
    uint8_t *piece = c->has_ended ? NULL : rp_blobs_open(&c->blobs);
    if (!piece)
        rp_capture_end(c, "ends: no memory");
    return piece;
}

/* Writes the number of what piece_open() has returned to the line. */
static void
piece_close(struct rp_capture_device *c, size_t size_B, uint64_t hash)
{
    uint64_t number = 0;
    if (!rp_blobs_close(&c->blobs, size_B, hash, &number))
        rp_capture_end(c, "ends: no room for its data");
    rp_json_u64(&c->submit_json, number);
}

/* Pages, at most a blob of them. A copy is what is hashed and stored: the application may write to
 * other parts of a page at the same time. */
static void
run_write(struct rp_capture_device *c, const struct rp_buffer *buf, uint64_t begin_B,
          uint64_t size_B, uint64_t *known)
{
    struct rp_json *json = &c->submit_json;
    const size_t count = rp_content_page_count(begin_B, size_B);
    uint8_t *piece = piece_open(c);
    const uint64_t *hashes =
        piece ? rp_capture_hash_pages(c, buf->host + begin_B, begin_B, size_B, piece) : NULL;
    if (!hashes)
        return;
    memcpy(known, hashes, count * sizeof(*known));
    rp_json_open(json, '[');
    rp_json_u64(json, begin_B);
    rp_json_u64(json, size_B);
    piece_close(c, size_B, rp_content_hash_parts(hashes, count));
    rp_json_close(json, ']');
}

/* Pages whose content the reader does not have, as runs of them up to a blob's size. */
static void
buffer_write_pages(struct rp_capture_device *c, struct rp_capture_object *object,
                   const struct rp_buffer *buf, const struct rp_capture_touch *touch)
{
    const uint64_t first = touch->offset_B / RP_CONTENT_PAGE_B;
    const uint64_t last = (touch->offset_B + touch->size_B - 1) / RP_CONTENT_PAGE_B;
    const uint64_t begin_B = first * RP_CONTENT_PAGE_B;
    uint64_t *known = object->hashes;
    const uint64_t *found =
        rp_capture_hash_pages(c, buf->host + begin_B, begin_B, page_end(buf, last) - begin_B, NULL);

    for (uint64_t page = first; found && page <= last; page++)
        known[page] = found[page - first] == known[page] ? known[page] : 0;
    for (uint64_t page = first; page <= last && !c->has_ended; page++) {
        const uint64_t run = page;
        while (page <= last && page - run < RP_BLOB_MAX_B / RP_CONTENT_PAGE_B && !known[page])
            page++;
        if (page > run) {
            const uint64_t run_B = page_end(buf, page - 1) - run * RP_CONTENT_PAGE_B;
            run_write(c, buf, run * RP_CONTENT_PAGE_B, run_B, known + run);
            page--;
        }
    }
}

static bool
buffer_reserve(struct rp_capture_device *c, const struct rp_capture_touch *touch)
{
    const struct rp_buffer *buf = (const struct rp_buffer *)touch->object->obj;
    return hashes_reserve(c, touch->object, rp_content_page_count(0, buf->size_B));
}

static void
buffer_write(struct rp_capture_device *c, const struct rp_capture_touch *touch)
{
    struct rp_json *json = &c->submit_json;
    const struct rp_buffer *buf = (const struct rp_buffer *)touch->object->obj;

    if (!buffer_reserve(c, touch))
        return;
    rp_json_open(json, '{');
    rp_json_key_u64(json, "buffer", touch->object->id);
    rp_json_key(json, "pages");
    rp_json_open(json, '[');
    buffer_write_pages(c, touch->object, buf, touch);
    rp_json_close(json, ']');
    rp_json_close(json, '}');
}

/* A level and layer of a plane. */
static struct rp_content_rows
subresource_at(const struct rp_image *img, uint32_t plane_index, uint32_t level, uint32_t layer)
{
    const struct rp_image_plane *plane = &img->plane[plane_index];
    const struct rp_image_level *l = &plane->level[level];
    const struct rp_format_plane *format = &plane->format->planes[0];
    const uint32_t width = (l->extent_px.width + format->block_w_px - 1u) / format->block_w_px;
    return (struct rp_content_rows){
        .data = rp_image_texels(plane, level, layer, 0),
        .row_B = (uint64_t)width * format->block_B,
        .row_stride_B = l->row_stride_B,
        .slice_stride_B = l->slice_stride_B,
        .row_count = (l->extent_px.height + format->block_h_px - 1u) / format->block_h_px,
        .slice_count = rp_image_slice_count(img, l),
    };
}

/* Its texels without padding, in blobs. */
static void
subresource_write(struct rp_capture_device *c, const struct rp_content_rows *s)
{
    const uint64_t size_B = s->row_B * s->row_count * s->slice_count;
    for (uint64_t at_B = 0; at_B < size_B; at_B += RP_BLOB_MAX_B) {
        const uint64_t part_B = RP_MIN(RP_BLOB_MAX_B, size_B - at_B);
        uint8_t *piece = piece_open(c);
        const uint64_t *hashes = piece ? rp_capture_hash_texels(c, s, at_B, part_B, piece) : NULL;
        if (!hashes)
            return;
        piece_close(c, part_B, rp_content_hash_parts(hashes, rp_content_page_count(0, part_B)));
    }
}

static size_t
subresource_count(const struct rp_image *img)
{
    return (size_t)img->plane_count * img->level_count * img->layer_count;
}

/* Calls visit for every subresource, which are numbered in this order. */
static void
image_visit(struct rp_capture_device *c, const struct rp_capture_touch *touch,
            void (*visit)(struct rp_capture_device *c, struct rp_capture_object *object,
                          const struct rp_content_rows *s, const uint32_t at[3], uint64_t *known))
{
    const struct rp_image *img = (const struct rp_image *)touch->object->obj;
    uint64_t *known = touch->object->hashes;

    for (uint32_t p = 0; p < img->plane_count; p++)
        for (uint32_t level = 0; level < img->level_count; level++)
            for (uint32_t layer = 0; layer < img->layer_count; layer++, known++) {
                const uint32_t at[3] = {p, level, layer};
                if (!img->plane[p].host)
                    continue;
                const struct rp_content_rows s = subresource_at(img, p, level, layer);
                visit(c, touch->object, &s, at, known);
            }
}

static void
subresource_write_if_new(struct rp_capture_device *c, struct rp_capture_object *object,
                         const struct rp_content_rows *s, const uint32_t at[3], uint64_t *known)
{
    struct rp_json *json = &c->submit_json;
    uint64_t hash;
    if (c->has_ended || !rp_capture_hash_rows(c, s, &hash) || hash == *known)
        return;
    *known = hash;
    rp_json_open(json, '{');
    rp_json_key_u64(json, "image", object->id);
    rp_json_key_u64(json, "plane", at[0]);
    rp_json_key_u64(json, "level", at[1]);
    rp_json_key_u64(json, "layer", at[2]);
    rp_json_key(json, "blobs");
    rp_json_open(json, '[');
    subresource_write(c, s);
    rp_json_close(json, ']');
    rp_json_close(json, '}');
}

static bool
touch_is_image(const struct rp_capture_touch *touch)
{
    return touch->object->obj->type == VK_OBJECT_TYPE_IMAGE;
}

static void
image_write(struct rp_capture_device *c, const struct rp_capture_touch *touch)
{
    if (hashes_reserve(c, touch->object,
                       subresource_count((const struct rp_image *)touch->object->obj)))
        image_visit(c, touch, subresource_write_if_new);
}

void
rp_capture_write_memory(struct rp_capture_device *c)
{
    rp_capture_touches_settle(c);
    rp_json_key(&c->submit_json, "memory");
    rp_json_open(&c->submit_json, '[');
    for (uint32_t i = 0; i < c->touch_count && !c->has_ended; i++) {
        if (c->touches[i].is_covered)
            continue;
        if (touch_is_image(&c->touches[i]))
            image_write(c, &c->touches[i]);
        else if (c->touches[i].access & RP_CAPTURE_OUTPUT)
            (void)buffer_reserve(c, &c->touches[i]);
        else
            buffer_write(c, &c->touches[i]);
    }
    rp_json_close(&c->submit_json, ']');
}

static void
subresource_write_result(struct rp_capture_device *c, struct rp_capture_object *object,
                         const struct rp_content_rows *s, const uint32_t at[3], uint64_t *known)
{
    (void)object;
    (void)at;
    if (!c->has_ended && rp_capture_hash_rows(c, s, known))
        rp_json_hex64(&c->result_json, *known);
}

static void
subresource_forget(struct rp_capture_device *c, struct rp_capture_object *object,
                   const struct rp_content_rows *s, const uint32_t at[3], uint64_t *known)
{
    (void)c;
    (void)object;
    (void)s;
    (void)at;
    *known = 0;
}

/* What is known of the pages of a range whose hashes are these, as far as they lie in it; NULL:
 * nothing. Of pages that the submission may have written in part, the application may have written
 * the rest meanwhile. */
static void
buffer_learn(const struct rp_capture_touch *touch, const uint64_t *hashes)
{
    const struct rp_buffer *buf = (const struct rp_buffer *)touch->object->obj;
    const uint64_t end_B = touch->offset_B + touch->size_B;
    const uint64_t first = touch->offset_B / RP_CONTENT_PAGE_B;
    const uint64_t last = (end_B - 1) / RP_CONTENT_PAGE_B;

    for (uint64_t page = first; page <= last; page++) {
        const bool is_whole =
            page * RP_CONTENT_PAGE_B >= touch->offset_B && page_end(buf, page) <= end_B;
        touch->object->hashes[page] = hashes && is_whole ? hashes[page - first] : 0;
    }
}

static bool
touches_overlap(const struct rp_capture_touch *a, const struct rp_capture_touch *b)
{
    return a->offset_B < b->offset_B + b->size_B && b->offset_B < a->offset_B + a->size_B;
}

/* Nothing in it was written in a way that does not repeat. Those of an object are beside each
 * other. */
static bool
touch_repeats(const struct rp_capture_device *c, uint32_t index)
{
    const struct rp_capture_touch *touch = &c->touches[index];
    uint32_t i = index;
    if (c->touches_repeat)
        return true;
    while (i > 0 && c->touches[i - 1].object == touch->object)
        i--;
    for (; i < c->touch_count && c->touches[i].object == touch->object; i++) {
        const struct rp_capture_touch *other = &c->touches[i];
        if (other->access & RP_CAPTURE_UNREPEATABLE &&
            (touch_is_image(touch) || touches_overlap(other, touch)))
            return false;
    }
    return true;
}

static void
buffer_write_result(struct rp_capture_device *c, const struct rp_capture_touch *touch)
{
    struct rp_json *json = &c->result_json;
    const struct rp_buffer *buf = (const struct rp_buffer *)touch->object->obj;
    const size_t count = rp_content_page_count(touch->offset_B, touch->size_B);
    const uint64_t *hashes =
        rp_capture_hash_pages(c, buf->host + touch->offset_B, touch->offset_B, touch->size_B, NULL);

    if (!hashes)
        return;
    rp_json_key_u64(json, "buffer", touch->object->id);
    rp_json_key_u64(json, "offset", touch->offset_B);
    rp_json_key_u64(json, "size", touch->size_B);
    rp_json_key(json, "hash");
    rp_json_hex64(json, rp_content_hash_parts(hashes, count));
    buffer_learn(touch, hashes);
}

static void
touch_forget(struct rp_capture_device *c, const struct rp_capture_touch *touch)
{
    if (touch_is_image(touch))
        image_visit(c, touch, subresource_forget);
    else
        buffer_learn(touch, NULL);
}

static void
touch_write_result(struct rp_capture_device *c, const struct rp_capture_touch *touch)
{
    struct rp_json *json = &c->result_json;

    rp_json_open(json, '{');
    if (touch_is_image(touch)) {
        rp_json_key_u64(json, "image", touch->object->id);
        rp_json_key(json, "hashes");
        rp_json_open(json, '[');
        image_visit(c, touch, subresource_write_result);
        rp_json_close(json, ']');
    } else {
        buffer_write_result(c, touch);
    }
    rp_json_close(json, '}');
}

/* What the submission may have written lies in these descriptors. */
static bool
descriptors_are_reached(const struct rp_capture_device *c, const struct rp_capture_descriptors *d)
{
    for (uint32_t i = 0; i < c->touch_count; i++) {
        const struct rp_capture_touch *touch = &c->touches[i];
        if (touch->access == RP_CAPTURE_READ || touch_is_image(touch))
            continue;
        const struct rp_buffer *buf = (const struct rp_buffer *)touch->object->obj;
        const uintptr_t begin = (uintptr_t)buf->host + touch->offset_B, at = (uintptr_t)d->at;
        if (begin < at + d->size_B && at < begin + touch->size_B)
            return true;
    }
    return false;
}

/* Others the application may write meanwhile, as long as no dispatch uses them. */
static bool
descriptors_are_as_expected(const struct rp_capture_device *c)
{
    for (uint32_t i = 0; i < c->descriptors_count; i++) {
        const struct rp_capture_descriptors *d = &c->descriptors[i];
        if (descriptors_are_reached(c, d) && rp_hash(0, d->at, d->size_B) != d->hash)
            return false;
    }
    return true;
}

void
rp_capture_write_results(struct rp_capture_device *c)
{
    struct rp_json *json = &c->result_json;

    if (!descriptors_are_as_expected(c)) {
        rp_capture_end(c, "ends: a submission writes descriptors in memory that it reads");
        return;
    }
    rp_json_key(json, "after");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < c->touch_count && !c->has_ended; i++) {
        struct rp_capture_touch touch = c->touches[i];
        if (touch.access == RP_CAPTURE_READ)
            continue;
        const bool is_output = touch.access & RP_CAPTURE_OUTPUT;
        const bool repeats = touch_repeats(c, i);
        if (is_output || !repeats)
            touch_forget(c, &touch);
        if (is_output)
            touch.size_B = touch.output_B;
        if (repeats && (touch.size_B || !is_output))
            touch_write_result(c, &touch);
    }
    rp_json_close(json, ']');
}

void
rp_capture_forget_results(struct rp_capture_device *c)
{
    for (uint32_t i = 0; i < c->touch_count && !c->has_ended; i++) {
        if (c->touches[i].access != RP_CAPTURE_READ)
            touch_forget(c, &c->touches[i]);
    }
}
