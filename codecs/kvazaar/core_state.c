/* SPDX-License-Identifier: MIT */
/* kvazaar's encoderstate.c, unchanged: its coding of a coding tree block is static. The search of a
 * block is the one here, and wave.c goes through the blocks of a leaf: here they are passed by.
 *
 * The function that codes a leaf is static, too. Its definition begins with another token than its
 * calls, and so gets another name.
 */
#define encoder_state_encode_leaf(first) LEAF_##first)
#define LEAF_encoder_state_t unused_encode_leaf(encoder_state_t
#define LEAF_main_state pass_by(main_state

#include "codecs/kvazaar/core.h"

#include "search.h"

static void pass_by(encoder_state_t *leaf);

/* A block that is refreshed is searched as those of I slices are. The frame is that of all threads
 * that code the picture, the pointer to it the leaf's. */
static void
search_lcu(encoder_state_t *state, int x, int y, const yuv_t *hor_buf, const yuv_t *ver_buf)
{
    encoder_state_config_frame_t *frame = state->frame;
    if (rp_kvazaar_refresh_forces(state, x, y))
        state->frame = rp_kvazaar_motion_of(state)->intra_frame;
    kvz_search_lcu(state, x, y, hor_buf, ver_buf);
    state->frame = frame;
}

#undef kvz_search_lcu /* another name, of 10 bits */
#define kvz_search_lcu search_lcu
#include "encoderstate.c"

static void
pass_by(encoder_state_t *leaf)
{
    leaf->last_qp = leaf->frame->QP;
}

void
rp_kvazaar_state_begin(encoder_state_t *state)
{
    encoder_state_init_children(state);
    encoder_state_encode(state);
}

void
rp_kvazaar_leaf_code(encoder_state_t *leaf, int i)
{
    const vector2d_t *at = &leaf->lcu_order[i].position_px;
    if (rp_kvazaar_motion_of(leaf)->awaited_count > 0)
        rp_kvazaar_await_motion(leaf, at->x, at->y);
    encoder_state_worker_encode_lcu(&leaf->lcu_order[i]);
}
