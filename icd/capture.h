/* SPDX-License-Identifier: MIT */
/* Starts the capture of a device (src/capture), where the names of features are known.
 */
#ifndef RP_ICD_CAPTURE_H
#define RP_ICD_CAPTURE_H

struct rp_device;

/* With REELPIPE_CAPTURE: dev->capture, and capture.json. A capture that cannot be is told on the
 * standard error; the device goes on without. */
void rp_device_capture_begin(struct rp_device *dev);

#endif
