/* SPDX-License-Identifier: MIT */
/* Each member of StdVideoEncodeAV1PictureInfo by itself: a picture that asks for something in it,
 * and nothing else that is unusual.
 */
#ifndef RP_TESTS_VIDEO_AV1_MEMBERS_H
#define RP_TESTS_VIDEO_AV1_MEMBERS_H

#include "av1_application.h"

#include <stdio.h>

/* Writes the stream, and to lines what has to be in it: for each picture "picture HAS_OVERRIDES",
 * then "exact ELEMENT VALUE" or "asked ELEMENT VALUE", which an override may change. False when the
 * device does not encode AV1. */
bool av1_members_run(struct vk *vk, FILE *stream, FILE *lines);

#endif
