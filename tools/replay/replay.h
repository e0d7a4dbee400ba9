/* SPDX-License-Identifier: MIT */
/* reelpipe-replay: does what a captured application did, through the Vulkan loader.
 *
 * An ordinary Vulkan application: nothing here knows a driver. Its parts: read.h and files.h (the
 * capture), device.c, objects.c (a function for each kind), memory.c (contents of buffers and
 * images), bindings.c and commands.c (recording), submissions.c (one after the other).
 */
#ifndef RP_TOOLS_REPLAY_REPLAY_H
#define RP_TOOLS_REPLAY_REPLAY_H

#include "files.h"
#include "read.h"

#include "vk_functions.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

#define REPLAY_MAX_SETS 32
#define REPLAY_MAX_QUEUES 64

/* The flags of enum rp_capture_kernel_flag. */
#define REPLAY_KERNEL_ADDRESSES 1u
#define REPLAY_KERNEL_HEAPS 4u

struct replay_options {
    const char *folder;
    const char *device; /* a part of its name; NULL: as captured, or else the first one */
    const char *dump;   /* an object's id or debug name; NULL */
    bool checks;
    uint32_t loop_count;
    uint64_t first; /* submissions that are checked, timed and told of */
    uint64_t last;
};

/* An object of the capture. */
struct replay_object {
    const char *type; /* "VkBuffer": a literal; NULL: no object has this id */
    uint64_t handle;  /* of this device; 0 when it is destroyed or never was needed */
    cJSON *create;    /* owned: its create info */
    char *name;       /* owned: the application's; NULL */
    uint64_t memory;  /* id of what a buffer, image or session is bound to */
    uint64_t offset_B;
    uint64_t size_B;              /* of buffers and memory */
    uint64_t address;             /* of memory, when it was captured */
    uint8_t *mapped;              /* of buffers: the first byte; of memory: likewise; NULL */
    VkDeviceMemory *own_memories; /* owned: what it has for itself here */
    uint32_t own_memory_count;
    uint32_t kernel;             /* of pipelines: bits of REPLAY_KERNEL_ */
    bool is_in_heaps;            /* of images: descriptors in heaps name them */
    uint64_t layout;             /* of pipelines: id of the pipeline layout */
    VkPipelineLayout own_layout; /* owned: of shader objects */
};

struct replay_queue {
    uint32_t family; /* as captured */
    uint32_t index;
    VkQueueFlags flags;
    uint32_t own_family;
    bool is_missing; /* the device has none like it */
    VkQueue queue;
    VkCommandPool pool;
};

struct replay_set {
    const cJSON *json; /* of the line: {"layout", "dynamic", "items"}; NULL: nothing */
    bool is_pushed;
};

/* What is bound while a command buffer is recorded: flushed before each dispatch. */
struct replay_bound {
    uint64_t pipeline; /* id, 0: none */
    uint64_t flushed_pipeline;
    struct replay_set sets[REPLAY_MAX_SETS];
    bool is_set_dirty[REPLAY_MAX_SETS];
    uint8_t push_constants[256];
    bool are_constants_dirty;
};

struct replay {
    struct replay_reader reader;
    const struct replay_options *options;
    struct replay_lines objects_file;
    struct replay_lines submits_file;
    struct replay_blobs blobs;
    cJSON *header;
    cJSON *lost; /* owned: the lines of submissions that lost the device */

    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkPhysicalDeviceMemoryProperties memory_properties;
    bool is_same_driver;     /* as captured: memory is laid out as it was */
    bool has_capture_replay; /* bufferDeviceAddressCaptureReplay is enabled */
    bool wants_addresses;    /* the application had bufferDeviceAddress */
    struct replay_queue queues[REPLAY_MAX_QUEUES];
    uint32_t queue_count;

    struct replay_object *objects; /* owned, by id */
    uint64_t object_limit;
    uint64_t object_lines; /* that were read */

    VkBuffer staging; /* for images; grows */
    VkDeviceMemory staging_memory;
    uint8_t *staging_host;
    uint64_t staging_B;

    /* The submission being replayed. */
    struct replay_queue *queue;
    VkCommandBuffer cb;
    VkDescriptorPool *pools; /* owned */
    uint32_t pool_count;
    VkBufferView *texel_views; /* owned */
    uint32_t texel_view_count;
    bool is_in_scope;  /* of video coding */
    bool has_dispatch; /* and no barrier after it */

    uint64_t check_count;
    uint64_t difference_count;
};

/* device.c */
bool replay_device_create(struct replay *replay);
void replay_device_destroy(struct replay *replay);
/* False after a message that names the call. */
bool replay_call(struct replay *replay, VkResult result, const char *call);

/* objects.c: reads lines up to this count, and does what they say. */
bool replay_objects_until(struct replay *replay, uint64_t line_count);
void replay_objects_destroy(struct replay *replay);
struct replay_object *replay_object_get(struct replay *replay, uint64_t id, const char *type);
uint32_t replay_memory_type(const struct replay *replay, uint32_t bits,
                            VkMemoryPropertyFlags wanted);

/* memory.c */
bool replay_memory_write(struct replay *replay, const cJSON *list);
/* Compares the list "after"; tells each difference. */
bool replay_memory_check(struct replay *replay, uint64_t submission, const cJSON *list);
bool replay_memory_dump(struct replay *replay, const char *which);
/* Shader objects are pipelines here, with layouts of their own. */
bool replay_create_shader(struct replay *replay, struct replay_object *object, void *structure);
VkPipelineLayoutCreateInfo replay_shader_layout(const VkShaderCreateInfoEXT *info);

/* An image's first layout. */
bool replay_image_init(struct replay *replay, VkImage image, const VkImageCreateInfo *info);

/* bindings.c: before a dispatch. */
bool replay_bindings_flush(struct replay *replay, struct replay_bound *bound,
                           const cJSON *dispatch);
void replay_bindings_reset(struct replay *replay);

/* heaps.c: where line says it, makes the image, or the view or sampler that descriptors in heaps
 * name, as it was made. */
bool replay_heap_image(struct replay *replay, const cJSON *line, VkImageCreateInfo *info);
bool replay_heap_descriptor(struct replay *replay, const cJSON *line, const void *structure);
/* What a pipeline of heaps has in place of push constants. */
bool replay_heap_push(struct replay *replay, const struct replay_bound *bound);

/* commands.c: records a list of commands. */
bool replay_commands(struct replay *replay, struct replay_bound *bound, const cJSON *list);
void replay_full_barrier(VkCommandBuffer cb);

/* submissions.c */
bool replay_run(struct replay *replay);
/* Records with fn, submits to queue and waits. */
bool replay_submit_now(struct replay *replay, struct replay_queue *queue,
                       bool (*fn)(struct replay *replay, void *ctx), void *ctx, double *time_out);

#endif
