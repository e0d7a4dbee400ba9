/* SPDX-License-Identifier: MIT */
/* REELPIPE_PROFILE: a folder with what the dispatches of a device did, exactly counted.
 *
 * One file, profile.json (write.c), written when the device is destroyed; tools/report shows it.
 * Pipelines of the same SPIR-V, entry point, specialization, heap mappings and slots are one
 * pipeline here.
 *
 * pipelines.c: which pipelines there are. slots.c: what is bound to them, dispatch by dispatch;
 * partition.c: how it could be bound. barriers.c: which barriers stand between what shares nothing.
 * fields.c: the values of uniform data, whose members reflect.c
 * finds. simt.c: how many lanes of a warp run, block by block; source.c:
 * what those blocks are. table.c counts different pieces of bytes.
 */
#ifndef RP_PROFILE_PROFILE_H
#define RP_PROFILE_PROFILE_H

#include "compute/compute.h"
#include "object/profile.h"
#include "profile/accesses.h"
#include "profile/reflect.h"
#include "profile/table.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define RP_PROFILE_MAX_ROWS 16384u     /* different rows of contents that are kept of a pipeline */
#define RP_PROFILE_MAX_CONTENTS 65536u /* different contents of a slot */

struct rp_device;

/* One of the kernel's bindings, which are in the order of sets and bindings here. Those of
 * RP_HEAP_SET are whole heaps: their content is where they are. */
struct rp_profile_slot {
    uint32_t index; /* among rp_kernel_bindings() */
    uint32_t set;
    uint32_t binding;
    VkDescriptorType type;
    uint32_t descriptor_count;
    bool is_dynamic;
    bool may_be_stale;                /* what a dispatch does not use may be gone */
    struct rp_profile_table contents; /* different ones, as lists of descriptors */
    uint64_t same; /* of the pipeline's pairs of neighbours: those with the same content */
    uint64_t same_undynamic; /* without dynamic offsets */
};

/* Lanes and warps by basic block: simt.h. */
struct rp_profile_simt {
    struct rp_kernel *kernel;       /* owned; counts. NULL: none yet, or it could not be made */
    struct rp_probe_total *totals;  /* owned, by its probes; NULL: nothing is counted */
    struct rp_op_total *operations; /* owned, by kind, where operations are counted instead */
    struct rp_accesses *accesses;   /* owned, with totals; NULL: nobody wants them */
    struct rp_repacked repacked;
    bool is_tried;
};

/* What a field held from dispatch to dispatch. */
struct rp_profile_field {
    struct rp_profile_table values; /* different ones */
    uint64_t changes;               /* dispatches that found another value than the one before */
    uint64_t zeros;                 /* dispatches that found zero */
    uint64_t count;                 /* dispatches that found one at all */
    uint64_t last;                  /* hash of the last value */
};

/* A block of uniform data: fields.h. */
struct rp_profile_block {
    uint32_t slot;                   /* UINT32_MAX: push constants */
    struct rp_profile_field *fields; /* owned, as the reflection's */
    uint64_t count;                  /* dispatches */
    uint64_t duplicates; /* that came with another buffer or offset, and the bytes that are read the
                            same */
    uint64_t last_ptr;
    uint64_t last_hash;
};

struct rp_profile_fields {
    struct rp_reflection reflection;
    struct rp_profile_block *blocks; /* owned, as the reflection's */
};

struct rp_profile_pipeline {
    struct rp_profile_pipeline *next;
    uint64_t hash;   /* of SPIR-V, entry point, specialization and mappings */
    uint32_t number; /* among the device's */
    uint32_t *words; /* owned */
    size_t word_count;
    char *entry_point;       /* owned */
    uint8_t *specialization; /* owned: constant id, size and value of each, in turn */
    size_t specialization_B;
    struct rp_heap_mapping *mappings; /* owned: where its bindings lie in heaps */
    uint32_t mapping_count;
    bool wants_exact_bounds;
    bool has_robust_images;
    bool reaches_addresses; /* goes through buffer device addresses, or descriptors in heaps */
    uint32_t local_size[3];
    uint32_t subgroup_size;

    uint64_t dispatch_count;
    uint64_t invocation_count;
    uint64_t time_ns;    /* of its dispatches, by the clock on the wall */
    uint64_t pair_count; /* dispatches that follow one of the same pipeline in a command buffer */
    struct rp_profile_table rows;  /* different rows: a content of each slot */
    struct rp_profile_slot *slots; /* owned */
    uint32_t slot_count;
    struct rp_profile_fields fields;
    struct rp_profile_simt simt;
};

/* What the recorders of command buffers kept and dropped, over all that were run. */
struct rp_profile_state {
    uint64_t kept;
    uint64_t dropped; /* changed nothing */
};

enum rp_profile_state_kind {
    RP_PROFILE_BINDS, /* of pipelines, descriptor sets and heaps */
    RP_PROFILE_PUSHES,
    RP_PROFILE_BARRIERS,
    RP_PROFILE_STATE_COUNT,
};

struct rp_profile_device {
    struct rp_profile base;
    struct rp_device *dev;
    char folder[3072];
    int file;               /* profile.json: from the beginning on, so that the folder is taken */
    bool counts_operations; /* of the kernels as they are; else lanes, of kernels with probes */
    bool records_accesses;  /* with the lanes */
    bool finds_races;       /* with the accesses */
    bool repacks;           /* with the accesses */
    struct rp_recording recording;

    pthread_mutex_t mutex;             /* guards all below, and what it points to */
    bool is_short;                     /* memory was: something is missing */
    struct rp_profile_pipeline *first; /* owned */
    struct rp_profile_pipeline **last;
    uint32_t pipeline_count;
    uint64_t command_buffer_count;
    struct rp_profile_state state[RP_PROFILE_STATE_COUNT];
    uint64_t needless_barriers; /* between dispatches that share no memory */
};

/* Memory that dispatches reach between two barriers. */
struct rp_profile_touch {
    uintptr_t begin;
    uintptr_t end;
    bool may_write;
};

struct rp_profile_touches {
    struct rp_profile_touch *items; /* owned */
    uint32_t count;
    uint32_t capacity;
    bool is_unknown; /* other commands stand there, too */
};

/* What barriers.c knows of a command buffer that is being run. */
struct rp_profile_barriers {
    struct rp_profile_touches before; /* of the last barrier */
    struct rp_profile_touches now;    /* since */
    bool has_barrier;
    bool *are_unknown; /* owned: the parts between barriers */
    uint32_t part_count;
    uint32_t part_capacity;
    uint32_t part;
};

/* The last dispatch of a command buffer that is being run: what the next one is compared with.
 * All zeros: there was none. */
struct rp_profile_run {
    const struct rp_profile_pipeline *pipeline; /* NULL: no dispatch yet */
    uint32_t *contents; /* owned: by slot, with and without dynamic offsets */
    uint32_t *now;      /* owned: the same, of the dispatch that comes */
    uint32_t capacity;  /* slots */
    struct rp_profile_barriers barriers;
};

void rp_profile_run_finish(struct rp_profile_run *run);

struct rp_profile_dispatch {
    struct rp_profile_pipeline *pipeline;
    struct rp_profile_run *run;
    const struct rp_descriptor_array
        *bindings; /* of rp_kernel_bindings(), as the kernel sees them */
    const struct rp_descriptor_array *undynamic; /* the same without dynamic offsets */
    const uint8_t *push_constants;
    uint32_t group_count[3];
};

/* Before the dispatch runs. */
void rp_profile_dispatch_begin(struct rp_profile_device *p, const struct rp_profile_dispatch *d);
void rp_profile_dispatch_end(struct rp_profile_device *p, const struct rp_profile_dispatch *d,
                             uint64_t time_ns);

/* A command buffer runs: counts by kind. */
void rp_profile_command_buffer(struct rp_profile_device *p,
                               const struct rp_profile_state counts[RP_PROFILE_STATE_COUNT]);

/* A primary command buffer begins; each of its parts between barriers, from the front to the end,
 * is told of: is there anything but dispatches and binds in it? Then its barriers, and its end. */
void rp_profile_barriers_begin(struct rp_profile_run *run);
void rp_profile_barriers_add_part(struct rp_profile_device *p, struct rp_profile_run *run,
                                  bool is_unknown);
void rp_profile_barrier(struct rp_profile_device *p, struct rp_profile_run *run);
void rp_profile_barriers_end(struct rp_profile_device *p, struct rp_profile_run *run);

/* REELPIPE_PROFILE is set: *out is a profile of dev, or NULL after a message. NULL without the
 * variable. Owned by dev->profile; ops->finish ends it. */
void rp_profile_create(struct rp_device *dev, struct rp_profile **out);

static inline struct rp_profile_device *
rp_profile_device_of(struct rp_profile *profile)
{
    return (struct rp_profile_device *)profile;
}

/* Between the files of this folder. */
void rp_profile_pipeline_created(struct rp_profile *profile, struct rp_pipeline *pipeline,
                                 const struct rp_cache_key_info *source,
                                 const struct rp_pipeline_layout *layout);
void rp_profile_pipelines_finish(struct rp_profile_device *p);
/* p->mutex is held. */
void rp_profile_barriers_touch(struct rp_profile_device *p, const struct rp_profile_dispatch *d);
bool rp_profile_write(struct rp_profile_device *p) RP_MUST_CHECK;

#endif
