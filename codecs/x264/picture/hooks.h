/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hooks of every context. */
#ifndef RP_CODECS_X264_PICTURE_HOOKS_H
#define RP_CODECS_X264_PICTURE_HOOKS_H

#include "context.h"

extern const struct rp_x264_hooks rp_x264_picture_hooks;

#endif
