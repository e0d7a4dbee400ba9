/* SPDX-License-Identifier: MIT */
/* Work of a lent queue that the lower device has a part in.
 */
#ifndef RP_TESTS_LAYER_LENT_WORK_H
#define RP_TESTS_LAYER_LENT_WORK_H

#include "fixture.h"

/* A command buffer of a lent family that brings a source into the encoder's layout, which the lower
 * device has to do. */
struct lent_work {
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer cb; /* SIMULTANEOUS_USE */
    struct test_image img;
};

/* The first family that encodes. */
uint32_t lent_family(const struct fixture *f);

struct lent_work lent_work_create(struct fixture *f);
void lent_work_destroy(struct fixture *f, struct lent_work *work);

#endif
