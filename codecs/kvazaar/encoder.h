/* SPDX-License-Identifier: MIT */
/* The encoder of a session. Pictures are coded one after the other, in the order they began: whoever
 * codes is alone with the contexts and the slots.
 */
#ifndef RP_CODECS_KVAZAAR_ENCODER_H
#define RP_CODECS_KVAZAAR_ENCODER_H

#include "codecs/kvazaar/context.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define RP_KVAZAAR_CONTEXTS 4u /* sizes and arrangements of slices that are remembered */

struct rp_encoder {
    pthread_mutex_t mutex; /* of what follows but the contexts */
    pthread_cond_t turn_ended;
    uint64_t begun_count;
    uint64_t ended_count;
    bool is_busy; /* somebody codes, or clears a slot */

    struct rp_kvazaar_context *contexts[RP_KVAZAAR_CONTEXTS]; /* owned; the last used one first */
};

#endif
