/* SPDX-License-Identifier: MIT */
/* Where the tests are built without OpenH264.
 */
#include "openh264.h"

uint32_t
openh264_version(void)
{
    return 0;
}

struct openh264 *
openh264_open(openh264_frame frame, void *ctx)
{
    (void)frame, (void)ctx;
    return NULL;
}

void
openh264_send(struct openh264 *dec, const uint8_t *data, size_t size_B, uint32_t number)
{
    (void)dec, (void)data, (void)size_B, (void)number;
}

uint32_t
openh264_finish(struct openh264 *dec)
{
    (void)dec;
    return 0;
}
