/* SPDX-License-Identifier: MIT */
/* The applications whose faults the driver works around, and what it does for them.
 *
 * The folder:
 *   table.c                  a row for each engine and range of its versions, or program
 *   device.c                 the workarounds of one device, behind include/reelpipe/quirks.h
 *   ffmpeg_frame_threads.c   has the frame threads of FFmpeg submit one after the other
 *   ffmpeg_reorder.c         puts in order what was submitted before its reference all the same
 *   submitted_pictures.c     which pictures of a session were submitted
 *
 * Nothing in here knows a Vulkan object, and nothing of it runs for an application without a row.
 */
#ifndef RP_QUIRKS_TABLE_H
#define RP_QUIRKS_TABLE_H

#include <vulkan/vulkan_core.h>

#include <stdint.h>

/* Flags of rows. */
#define RP_QUIRK_UNORDERED_DECODE_THREADS 1u /* decode is put in order for the application */
#define RP_QUIRK_ASSUMES_LARGEST_SUBGROUP 2u /* no subgroup is larger than those by default */
#define RP_QUIRK_NAMES_ONE_PROFILE 4u        /* whatever the depth of its pictures */

/* The flags for an application (NULL: it says nothing of itself), by the name and the version of
 * its engine, or by its own name. None with REELPIPE_QUIRKS=0. */
uint32_t rp_quirks_find(const VkApplicationInfo *app);

#endif
