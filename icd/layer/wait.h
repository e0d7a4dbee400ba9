/* SPDX-License-Identifier: MIT */
/* Waits of the host for the lower device, which end when the layer's device is lost, too.
 */
#ifndef RP_ICD_LAYER_WAIT_H
#define RP_ICD_LAYER_WAIT_H

#include <stdint.h>

/* The time timeout_ns from now, for wait functions; never too far away to be compared. */
uint64_t rp_layer_deadline_after(uint64_t timeout_ns);

/* How long the lower device may be waited for before one looks whether the device has been lost;
 * what has been submitted has that time to end then. */
uint64_t rp_layer_wait_part(uint64_t deadline_ns);

#endif
