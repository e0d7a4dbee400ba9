/* SPDX-License-Identifier: MIT */
/* kvazaar's encoderstate.c, unchanged: its coding of a picture is static. The search of a coding tree
 * block is that of refresh.c.
 */
#undef kvz_search_lcu /* another name, of 10 bits */
#define kvz_search_lcu rp_kvazaar_search_lcu
#include "encoderstate.c"

#include "codecs/kvazaar/core.h"

void
rp_kvazaar_state_encode(encoder_state_t *state)
{
    encoder_state_init_children(state);
    encoder_state_encode(state);
}
