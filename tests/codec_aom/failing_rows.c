/* SPDX-License-Identifier: MIT */
/* A row of superblocks fails on its thread while others wait for it, the arithmetic coder among
 * them: the picture gets a status, nothing hangs or leaks, and the encoder goes on with a key
 * frame.
 *
 * usage: failing_rows [FAILURES]
 *   FAILURES   how many there are, at places all over the pictures (default 40)
 */
#include "app.h"

#include "reelpipe/workers.h"
#include "tests/test.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#define THREADS 4u

/* libaom's: what a row, and each block that is split, cannot do without. */
void *__real_av1_alloc_pc_tree_node(unsigned char block_size);
void *__wrap_av1_alloc_pc_tree_node(unsigned char block_size);

/* Ours: the coder, beside rows. */
struct rp_aom_picture;
void __real_rp_aom_pack_run(struct rp_aom_picture *picture);
void __wrap_rp_aom_pack_run(struct rp_aom_picture *picture);

static atomic_uint node_count;
static atomic_uint failing_node; /* 0: none */
static atomic_bool has_coder;    /* it has begun the picture */

void *
__wrap_av1_alloc_pc_tree_node(unsigned char block_size)
{
    if (atomic_fetch_add(&node_count, 1) + 1 != atomic_load(&failing_node))
        return __real_av1_alloc_pc_tree_node(block_size);
    while (!atomic_load(&has_coder))
        (void)sched_yield();
    return NULL;
}

void
__wrap_rp_aom_pack_run(struct rp_aom_picture *picture)
{
    atomic_store(&has_coder, true);
    __real_rp_aom_pack_run(picture);
}

static enum rp_codec_status
code_next(struct app *app, uint32_t number)
{
    const bool is_key = app->references[0].slot < 0;
    app_picture_init(app, is_key ? STD_VIDEO_AV1_FRAME_TYPE_KEY : STD_VIDEO_AV1_FRAME_TYPE_INTER,
                     number, true);
    if (!is_key) {
        app_name(app, 0, 0);
        app->std.refresh_frame_flags = 1;
    }
    app_draw(app, number);
    atomic_store(&has_coder, false);
    return app_try_encode(app, app_free_slot(app, 0));
}

/* Returns how many nodes two pictures take. */
static uint32_t
code(struct app *app, uint32_t failing)
{
    bool has_failed = false;

    for (uint32_t i = 0; i < STD_VIDEO_AV1_NUM_REF_FRAMES; i++)
        app->references[i].slot = -1;
    atomic_store(&node_count, 0);
    atomic_store(&failing_node, failing);
    for (uint32_t i = 0; i < 2 && !has_failed; i++) {
        const enum rp_codec_status status = code_next(app, i);
        has_failed = status != RP_CODEC_OK;
        REQUIRE(status == RP_CODEC_OK || status == RP_CODEC_NO_MEMORY);
    }
    REQUIRE(has_failed == (failing > 0));
    return atomic_load(&node_count);
}

static void
rows_may_fail_while_they_are_waited_for(uint32_t failures)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->workers = rp_workers_create(THREADS);
    REQUIRE(app->workers);
    app->seq.flags.enable_cdef = 1;
    app_init(app, 512, 256, 1);
    const uint32_t count = code(app, 0);
    REQUIRE(count > 2 * failures);
    for (uint32_t i = 0; i < failures; i++) {
        (void)code(app, 1 + i * (count / 2) / failures); /* pictures differ */
        (void)code(app, 0);
    }
    app_finish(app);
    rp_workers_destroy(app->workers);
    free(app);
}

int
main(int argc, char **argv)
{
    const uint32_t failures = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 40;
    REQUIRE(failures > 0);
    RUN(rows_may_fail_while_they_are_waited_for, failures);
    return 0;
}
