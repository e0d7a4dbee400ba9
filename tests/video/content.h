/* SPDX-License-Identifier: MIT */
/* Made-up video: things that move, edges, flat parts and some noise.
 */
#ifndef RP_TESTS_VIDEO_CONTENT_H
#define RP_TESTS_VIDEO_CONTENT_H

#include <stdint.h>

/* Planar 4:2:0. The same seed gives the same scene; time moves it. */
void content_fill(uint8_t *pixels, uint32_t width_px, uint32_t height_px, uint32_t seed,
                  uint32_t time);

/* PSNR of luma, in 1/100 dB; 9999 when equal. */
int32_t content_psnr(const uint8_t *a, const uint8_t *b, uint32_t stride_B, uint32_t width_px,
                     uint32_t height_px);

#endif
