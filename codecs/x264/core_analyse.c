/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's analyse.c and the slicetype.c that it includes, unchanged.
 */
#include "core.h"

#include "encoder/analyse.c"
