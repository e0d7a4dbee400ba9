/* SPDX-License-Identifier: MIT */
/* What the parts of the tests' lower device share.
 */
#ifndef RP_TESTS_LAYER_LOWER_H
#define RP_TESTS_LAYER_LOWER_H

#include "gate.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>

#define EXPORT __attribute__((visibility("default"))) VKAPI_ATTR

#define REQUIRE(condition) \
    do { \
        if (!(condition)) { \
            (void)fprintf(stderr, "the lower device: %s\n", #condition); \
            abort(); \
        } \
    } while (0)

/* The driver's functions; the tests have one instance and one device at a time. */
struct lower {
    PFN_vkGetInstanceProcAddr get_instance;
    VkInstance instance;
    PFN_vkGetDeviceProcAddr get_device;
    VkDevice device;
};
extern struct lower lower;

#define INSTANCE_CALL(name) ((PFN_##name)lower.get_instance(lower.instance, #name))
#define DEVICE_CALL(name) ((PFN_##name)lower.get_device(lower.device, #name))

struct lower_own {
    const char *name;
    PFN_vkVoidFunction function;
    bool is_device;
};

#define OWN(name, function, is_device) \
    { \
        name, (PFN_vkVoidFunction)(function), is_device \
    }

/* The structure of this type in a chain; NULL: there is none. */
const void *lower_find(const void *chain, VkStructureType type);

/* Whether it codes H.264 itself. */
bool lower_has_h264(void);

/* Ends the program at a family that the lower device does not have. */
void lower_check_family(uint32_t family);

/* Submissions to the device's queues so far. */
uint32_t lower_submit_count(void);

/* Stops while the gate is closed there. */
void lower_gate_pass(enum gate_place place);

/* Functions of recording; NULL: it is another one. */
PFN_vkVoidFunction lower_command_function(const char *name, bool is_device);

/* Likewise of presentation and of names. */
PFN_vkVoidFunction lower_presentation_function(const char *name, bool is_device);

/* Likewise of what signals by itself. */
PFN_vkVoidFunction lower_foreign_function(const char *name, bool is_device);

/* The one of this name in a table; of devices, only those that are asked for by a device, too. */
PFN_vkVoidFunction lower_own_function(const struct lower_own *table, size_t count, const char *name,
                                      bool is_device);

#endif
