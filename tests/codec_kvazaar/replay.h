/* SPDX-License-Identifier: MIT */
/* A stream once more, with several of its pictures on their way at a time: a route (app.h) that
 * codes pictures one after the other and, when the application ends, again. Without rate control.
 */
#ifndef RP_TESTS_CODEC_KVAZAAR_REPLAY_H
#define RP_TESTS_CODEC_KVAZAAR_REPLAY_H

#include "app.h"

/* One more time. */
struct replay_round {
    uint32_t thread_count; /* 0: this one codes, when no more pictures can begin */
    uint32_t in_flight;
    uint32_t *busy_count; /* or NULL; begin() does not wait: of those that were RP_CODEC_BUSY */
    uint32_t
        short_period; /* every so many pictures one has a byte less room than it takes; 0: none */
    void (*begin)(void); /* or NULL: the pictures are about to be coded */
    bool (*end)(void);   /* or NULL: they are; true: the round is to be made again */
    bool may_fail;       /* pictures may be short of memory */
};

/* Which rounds there are; of the process. */
void replay_set_rounds(const struct replay_round *rounds, uint32_t count);

/* Requires of each round the bytes, results and last reconstructions that there were, of pictures
 * with less room all but the bytes; of one that may fail, that the first picture comes out as it
 * did when it is coded once more in the end. */
extern const struct app_route replay_route;

#endif
