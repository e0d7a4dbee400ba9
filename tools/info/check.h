/* SPDX-License-Identifier: MIT */
/* The parts of reelpipe-info --check: each opens a device of its own, does a little of everything
 * it is about and compares what came out. A part that finds something wrong, or a call that fails,
 * ends the process with a sentence (die() of tools/encode/vk.h).
 */
#ifndef RP_TOOLS_INFO_CHECK_H
#define RP_TOOLS_INFO_CHECK_H

#include <stdbool.h>

#define CHECK_DEVICE "Reelpipe" /* what our device's name contains */

/* Fills, copies to an image and back. */
void check_copy(void);

/* Runs a compute shader. */
void check_dispatch(void);

/* Encodes a moving picture; its reconstruction has to be like it. */
void check_encode(void);
void check_encode_h265(void);
void check_encode_av1(void);

/* Encode and decode it: the pictures have to be the same, bit for bit. */
void check_both_h264(void);
void check_both_h265(void);

/* Decode a picture whose pixels are known. */
void check_decode_av1(void);
void check_decode_h265(void);
void check_decode_vp9(void);

/* Runs every part that the device offers, each in a process of its own, and prints a line for each.
 * Returns whether all is well. */
struct info_vulkan;
bool check_all(const struct info_vulkan *vk);

/* Runs the part of this number in this process. False when there is none. */
bool check_part(const char *number);

#endif
