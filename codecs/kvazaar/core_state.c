/* SPDX-License-Identifier: MIT */
/* kvazaar's encoderstate.c, unchanged: its coding of a picture is static.
 */
#include "encoderstate.c"

#include "codecs/kvazaar/core.h"

void
rp_kvazaar_state_encode(encoder_state_t *state)
{
    encoder_state_init_children(state);
    encoder_state_encode(state);
}
