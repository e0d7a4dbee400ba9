/* SPDX-License-Identifier: MIT */
/* A second opinion: OpenH264, a decoder that shares no line with libavcodec.
 */
#ifndef RP_TESTS_VIDEO_OPENH264_H
#define RP_TESTS_VIDEO_OPENH264_H

#include <stddef.h>
#include <stdint.h>

struct openh264;

/* Called for each picture, in output order, with the number of its access unit. */
typedef void (*openh264_frame)(void *ctx, uint32_t number, uint32_t width_px, uint32_t height_px,
                               const uint8_t *const planes[3], const uint32_t strides_B[2]);

/* Major and minor number of the library that is loaded, as 2.6 is 206; 0 without OpenH264. */
uint32_t openh264_version(void);

/* NULL where the tests are built without OpenH264. */
struct openh264 *openh264_open(openh264_frame frame, void *ctx);

/* One access unit in Annex B; any complaint fails the test. */
void openh264_send(struct openh264 *dec, const uint8_t *data, size_t size_B, uint32_t number);

/* Gives the pictures that wait; closes it. Takes NULL. Returns how many came out in all. */
uint32_t openh264_finish(struct openh264 *dec);

#endif
