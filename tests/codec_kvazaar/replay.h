/* SPDX-License-Identifier: MIT */
/* A stream once more, with several of its pictures on their way at a time: a route (app.h) that codes
 * pictures one after the other and, when the application ends, again. Without rate control.
 */
#ifndef RP_TESTS_CODEC_KVAZAAR_REPLAY_H
#define RP_TESTS_CODEC_KVAZAAR_REPLAY_H

#include "app.h"

/* One more time. */
struct replay_round {
    uint32_t thread_count;
    uint32_t in_flight;
    void (*begin)(void); /* or NULL: the pictures are about to be coded */
    void (*end)(void);   /* or NULL: they are */
    bool may_fail;       /* pictures may be short of memory */
};

/* Which rounds there are; of the process. */
void replay_set_rounds(const struct replay_round *rounds, uint32_t count);

/* Requires of each round the bytes, results and last reconstructions that there were; of one that may
 * fail, that the first picture comes out as it did when it is coded once more in the end. */
extern const struct app_route replay_route;

#endif
