/* SPDX-License-Identifier: MIT */
/* The one physical device, made with its instance.
 */
#ifndef RP_ICD_PHYSICAL_DEVICE_H
#define RP_ICD_PHYSICAL_DEVICE_H

struct rp_instance;
struct rp_physical_device;

/* pdev is zeroed; there is nothing to release. */
void rp_physical_device_init(struct rp_physical_device *pdev, struct rp_instance *instance);

#endif
