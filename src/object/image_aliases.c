/* SPDX-License-Identifier: MIT */
#include "object/image_aliases.h"

#include "object/image.h"

void
rp_image_aliases_init(struct rp_image_aliases *aliases)
{
    aliases->first = NULL;
    pthread_mutex_init(&aliases->mutex, NULL);
}

void
rp_image_aliases_finish(struct rp_image_aliases *aliases)
{
    pthread_mutex_destroy(&aliases->mutex);
}

void
rp_image_aliases_add(struct rp_image_aliases *aliases, struct rp_image *img)
{
    pthread_mutex_lock(&aliases->mutex);
    const struct rp_image *at = aliases->first;
    while (at && at != img)
        at = at->next_alias;
    if (!at) {
        img->next_alias = aliases->first;
        aliases->first = img;
    }
    pthread_mutex_unlock(&aliases->mutex);
}

void
rp_image_aliases_remove(struct rp_image_aliases *aliases, const struct rp_image *img)
{
    pthread_mutex_lock(&aliases->mutex);
    struct rp_image **link = &aliases->first;
    while (*link && *link != img)
        link = &(*link)->next_alias;
    if (*link)
        *link = img->next_alias;
    pthread_mutex_unlock(&aliases->mutex);
}

/* Imports of the same memory have each its own address, but the same file. */
static bool
planes_overlap(const struct rp_image_plane *a, uint64_t a_size_B, const struct rp_image_plane *b,
               uint64_t b_size_B)
{
    const bool is_by_file = a->file_id && a->file_id == b->file_id;
    const uint64_t a_begin = is_by_file ? a->file_offset_B : (uintptr_t)a->host;
    const uint64_t b_begin = is_by_file ? b->file_offset_B : (uintptr_t)b->host;
    return a->host && b->host && a_begin < b_begin + b_size_B && b_begin < a_begin + a_size_B;
}

static bool
images_overlap(const struct rp_image *a, const struct rp_image *b)
{
    const uint32_t a_count = a->is_disjoint ? a->plane_count : 1;
    const uint32_t b_count = b->is_disjoint ? b->plane_count : 1;
    for (uint32_t i = 0; i < a_count; i++) {
        for (uint32_t k = 0; k < b_count; k++) {
            if (planes_overlap(&a->plane[i], a->memory_size_B[i], &b->plane[k],
                               b->memory_size_B[k]))
                return true;
        }
    }
    return false;
}

void
rp_image_aliases_mark_written(struct rp_image_aliases *aliases, const struct rp_image *img)
{
    pthread_mutex_lock(&aliases->mutex);
    for (struct rp_image *at = aliases->first; at; at = at->next_alias) {
        if (at != img && images_overlap(at, img))
            atomic_fetch_add_explicit(&at->generation, 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&aliases->mutex);
}
