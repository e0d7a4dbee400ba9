/* SPDX-License-Identifier: MIT */
/* What is known of the pictures that come: periods, groups with B pictures, scenes. */
#ifndef RP_CODECS_RATE_CONTENT_H
#define RP_CODECS_RATE_CONTENT_H

#include "law.h"

/* Without a period from the application, and until one is seen. No plan waits for its end. */
#define RP_RATE_UNKNOWN_PERIOD 100000 /* pictures */

/* B pictures are announced, or come. */
bool rp_rate_has_b(const struct rp_rate_law *law);

/* The part of B pictures in those that are not I. */
double rp_rate_b_share(const struct rp_rate_law *law);

/* Pictures from one that is not B to the next, and the B pictures among them. */
double rp_rate_group_pictures(const struct rp_rate_law *law);
int rp_rate_b_run(const struct rp_rate_law *law);

/* The picture is an I picture that comes sooner than was known: nothing was kept for it. */
bool rp_rate_is_sudden(const struct rp_rate_law *law, const struct rp_rate_picture *picture);

/* The picture is a P picture that shows another scene than those before it. */
bool rp_rate_is_other_scene(const struct rp_rate_law *law, const struct rp_rate_picture *picture);

/* The picture is coded. Scenes are noted before its complexity goes into the mean; its place in the
 * period and its type's share when all else is done. */
void rp_rate_content_note_scene(struct rp_rate_law *law, const struct rp_rate_picture *picture);
void rp_rate_content_note_place(struct rp_rate_law *law, const struct rp_rate_picture *picture);

#endif
