/* SPDX-License-Identifier: MIT */
/* kvazaar's encoderstate.c, unchanged: its coding of a coding tree block is static. The search of a
 * block is that of refresh.c, and wave.c goes through the blocks of a leaf: here they are passed by.
 *
 * The function that codes a leaf is static, too. Its definition begins with another token than its
 * calls, and so gets another name.
 */
#undef kvz_search_lcu /* another name, of 10 bits */
#define kvz_search_lcu rp_kvazaar_search_lcu
#define encoder_state_encode_leaf(first) LEAF_##first)
#define LEAF_encoder_state_t unused_encode_leaf(encoder_state_t
#define LEAF_main_state pass_by(main_state

#include "codecs/kvazaar/core.h"

static void pass_by(encoder_state_t *leaf);

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
    encoder_state_worker_encode_lcu(&leaf->lcu_order[i]);
}
