/* SPDX-License-Identifier: MIT */
/* The objects of a capture: their ids, and the lines of objects.jsonl.
 */
#ifndef RP_CAPTURE_OBJECTS_H
#define RP_CAPTURE_OBJECTS_H

#include "capture/capture.h"

/* The functions of struct rp_capture_ops. */
void rp_capture_object_created(struct rp_capture *capture, struct rp_object *obj, const void *info);
void rp_capture_object_changed(struct rp_capture *capture, struct rp_object *obj, const void *info);
void rp_capture_object_named(struct rp_capture *capture, struct rp_object *obj, const char *name);
void rp_capture_object_destroyed(struct rp_capture *capture, struct rp_object *obj);

void rp_capture_objects_finish(struct rp_capture_device *c);

#endif
