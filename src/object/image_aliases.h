/* SPDX-License-Identifier: MIT */
/* DPB images of encode sessions that may share memory with others, by VK_IMAGE_CREATE_ALIAS_BIT or
 * because their memory is exported or imported: a write to one of two with the same texels is one
 * to the other. Host pointers are told by address, imports of one file by their place in it. What
 * is both (a dma-buf that was made of other memory, a pointer to an import) is not known to be the
 * same, nor what other devices and processes write.
 */
#ifndef RP_OBJECT_IMAGE_ALIASES_H
#define RP_OBJECT_IMAGE_ALIASES_H

#include <pthread.h>

struct rp_image;

struct rp_image_aliases {
    pthread_mutex_t mutex; /* guards the list */
    struct rp_image *first;
};

void rp_image_aliases_init(struct rp_image_aliases *aliases);
void rp_image_aliases_finish(struct rp_image_aliases *aliases);

/* A bound image; twice does nothing. */
void rp_image_aliases_add(struct rp_image_aliases *aliases, struct rp_image *img);
void rp_image_aliases_remove(struct rp_image_aliases *aliases, const struct rp_image *img);

/* The others that overlap img have been written with it. */
void rp_image_aliases_mark_written(struct rp_image_aliases *aliases, const struct rp_image *img);

#endif
