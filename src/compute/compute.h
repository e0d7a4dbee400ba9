/* SPDX-License-Identifier: MIT */
/* The compute engine: SPIR-V in, results in memory out, no Vulkan handle.
 *
 * rp_shader: a module that was parsed and checked. rp_kernel: one entry point of it with its
 * specialization, compiled; immutable, usable on any number of threads. rp_dispatcher: the memory
 * that one queue's dispatches run in. What a kernel reads and writes is in bindings.h.
 *
 * kernel.c compiles: spirv/ turns a module into the lane IR of ir/ (spirv/spirv.h), whose passes
 * (ir/ir.h) end in records for the interpreter of exec/ (exec/op.h), which gives images to the
 * texture unit of image/ (image/image.h). kernel_save.c keeps kernels in pipeline caches,
 * program_code.c gives them machine code (machine/machine.h).
 * Where a dispatch comes with variants.h, watch.h reads what its uniform words are, trial.h judges
 * and specializer.h compiles, besides the dispatches.
 * dispatch.c cuts a grid into slices for the threads, slice.c runs one of them. ops.h, lane_ops.h
 * and image_op.h are the operations that ir/ and exec/ share.
 */
#ifndef RP_COMPUTE_COMPUTE_H
#define RP_COMPUTE_COMPUTE_H

#include "compute/bindings.h"
#include "compute/record.h"
#include "compute/uniform.h"
#include "reelpipe/workers.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_COOPERATIVE_SIDE 16u  /* rows and columns of every cooperative matrix */
#define RP_MIN_SUBGROUP_SIZE 16u /* lanes; powers of two up to */
#define RP_MAX_SUBGROUP_SIZE 64u
#define RP_SUBGROUP_SIZE 32u        /* where none is asked for */
#define RP_MAX_WORKGROUP_SIZE 1024u /* invocations */
#define RP_MAX_GROUP_COUNT 65535u   /* in each direction */
#define RP_MAX_SHARED_B 65536u      /* workgroup memory */
#define RP_MAX_PUSH_CONSTANT_B 256u
/* A dispatch that writes that much writes past the caches where nobody reads it meanwhile: lines
 * are not fetched to be written over. */
#define RP_STREAM_MIN_B (UINT64_C(8) << 20)
#define RP_MAX_DESCRIPTORS (1u << 20) /* of one binding */

struct rp_shader;
struct rp_kernel;
struct rp_dispatcher;
struct rp_variants;

/* Text for the log when something is refused; names the instruction. */
struct rp_compute_message {
    char text[256];
};

/* Copies the words. VK_ERROR_UNKNOWN with message for a module that is not valid or wants what we
 * do not have, VK_ERROR_OUT_OF_HOST_MEMORY. message may be NULL. */
VkResult rp_shader_create(const uint32_t *words, size_t word_count,
                          struct rp_compute_message *message, struct rp_shader **out) RP_MUST_CHECK;
void rp_shader_destroy(struct rp_shader *shader); /* accepts NULL; kernels made from it live on */

struct rp_heap_mapping;

struct rp_kernel_info {
    const struct rp_shader *shader;
    const char *entry_point;
    const VkSpecializationInfo *specialization; /* NULL: defaults */
    uint32_t cpu_flags;                         /* rp_cpu_flags(), or fewer in tests */
    uint32_t subgroup_size;                     /* 0: RP_SUBGROUP_SIZE */
    /* Bindings of the module that lie in descriptor heaps (heap.h); the first that fits is it. */
    const struct rp_heap_mapping *mappings;
    uint32_t mapping_count;
    /* Beyond a buffer's end reads give zero and writes go nowhere whatever the index is; else
     * offsets may wrap around at 4 GiB, into the buffer. */
    bool wants_exact_bounds;
    bool wants_text; /* for rp_kernel_print(): takes a good part of the time of compiling */
    /* Counts lanes and warps at the beginning of each basic block: for profiles. Workgroups stay
     * whole, and lanes are local invocation indices. */
    bool wants_probes;
    /* By place in the grid - workgroups in row-major order, local invocation indices in each - the
     * number of the invocation whose ids the one there has; borrowed for as long as the kernel
     * runs. Workgroups stay whole, as with wants_probes, which is set, too. NULL: their own. */
    const uint32_t *swizzle;
    /* Tells a recorder what each invocation does (record.h); wants_probes is set, too. */
    bool wants_accesses;
    const struct rp_uniform_values *uniforms; /* that take the place of reads; NULL: none */
    bool
        wants_op_counts; /* counts how often each operation runs; a kernel is what it is otherwise */
};

VkResult rp_kernel_create(const struct rp_kernel_info *info, struct rp_compute_message *message,
                          struct rp_kernel **out) RP_MUST_CHECK;
/* One more owner; any thread may ask. */
struct rp_kernel *rp_kernel_ref(struct rp_kernel *kernel);
/* One owner less; accepts NULL. No dispatch of the last one may be under way. */
void rp_kernel_destroy(struct rp_kernel *kernel);

/* A kernel as bytes (without its text), for rp_kernel_load() of the same build. Writes to out
 * unless it is NULL, and returns the size. The same kernel gives the same bytes. */
size_t rp_kernel_save(const struct rp_kernel *kernel, uint8_t *out);

/* VK_ERROR_UNKNOWN for bytes that no kernel can have. That is no proof: an interpreter runs what it
 * is given, so the bytes have to be known as rp_kernel_save()'s, with the same cpu_flags. */
VkResult rp_kernel_load(const uint8_t *data, size_t size_B, uint32_t cpu_flags,
                        struct rp_kernel **out) RP_MUST_CHECK;

/* One (set, binding) pair that the entry point really uses. */
struct rp_kernel_binding {
    uint32_t set;
    uint32_t binding;
    uint32_t count; /* array size in the shader; 0: runtime array */
};

struct rp_kernel_statistics {
    uint32_t spirv_instruction_count; /* in the module */
    uint32_t ir_instruction_count;    /* after optimisation */
    uint32_t op_count;                /* interpreted operations */
    uint32_t loop_count;              /* 0: the operations run once for each chunk of lanes */
    uint32_t scalar_op_count;         /* of these, run once instead of per lane */
    uint32_t gather_count;            /* memory accesses lane by lane */
    uint32_t lanes;                   /* per operation */
    uint32_t register_B;              /* register file of a thread */
    uint32_t shared_B;
};

/* The binding table of a dispatch has one entry for each of these, in this order. */
const struct rp_kernel_binding *rp_kernel_bindings(const struct rp_kernel *kernel,
                                                   uint32_t *count_out);
void rp_kernel_local_size(const struct rp_kernel *kernel, uint32_t out[3]);
void rp_kernel_statistics(const struct rp_kernel *kernel, struct rp_kernel_statistics *out);

/* The lane IR as text; empty when it was not wanted. Writes at most size_B bytes with the
 * terminator and returns the size of the whole text. */
size_t rp_kernel_print(const struct rp_kernel *kernel, char *out, size_t size_B);

/* Where the OpLabel of each basic block that has a probe stands, in words of the module. None
 * without wants_probes. */
const uint32_t *rp_kernel_probes(const struct rp_kernel *kernel, uint32_t *count_out);

/* What ties an invocation to its place in the grid. */
enum rp_kernel_tie {
    RP_KERNEL_FREE,
    RP_KERNEL_TIED_BY_WORKGROUP, /* barriers, workgroup memory */
    RP_KERNEL_TIED_BY_SUBGROUP,  /* its operations and numbers, quads */
};

enum rp_kernel_tie rp_kernel_tie(const struct rp_kernel *kernel);

/* Lanes: what its SubgroupSize is. */
uint32_t rp_kernel_subgroup_size(const struct rp_kernel *kernel);

/* The uniform words that have been given no value, in the order of the program. */
const struct rp_uniform_word *rp_kernel_uniform_words(const struct rp_kernel *kernel,
                                                      uint32_t *count_out);

/* Does it write to more than buffers of its bindings: images, addresses? */
bool rp_kernel_writes_elsewhere(const struct rp_kernel *kernel);

/* Is its workgroup memory zero when a workgroup begins? */
bool rp_kernel_zeroes_shared(const struct rp_kernel *kernel);

/* The accesses that a recorder is told of. None without wants_accesses. */
const struct rp_access_site *rp_kernel_access_sites(const struct rp_kernel *kernel,
                                                    uint32_t *count_out);

/* What a probe has counted: invocations that entered the block, and warps of 8, 16, 32 and 64
 * consecutive local invocation indices that entered it with at least one of them. */
#define RP_PROBE_WIDTHS 4u

struct rp_probe_total {
    atomic_uint_fast64_t active;
    atomic_uint_fast64_t masks[RP_PROBE_WIDTHS];
};

/* How often the interpreter ran operations of one kind, and on how many blocks of 16 lanes. */
struct rp_op_total {
    atomic_uint_fast64_t runs;
    atomic_uint_fast64_t blocks;
};

/* Kinds of operations have the numbers from 0 on; NULL: there are no more. */
const char *rp_exec_op_name(uint32_t code);

/* The ptr and size_B of a descriptor. */
struct rp_descriptor_range {
    uint8_t *ptr;
    uint64_t size_B;
};

/* Reads descriptors that lie in memory in a form of their owner's; any thread may ask. */
struct rp_descriptor_reader {
    struct rp_descriptor (*read)(const void *ctx, const uint8_t *at);
    struct rp_descriptor_range (*read_range)(const uint8_t *at);
    const void *ctx; /* of read */
    uint32_t size_B; /* of one in memory */
};

/* The descriptors of one (set, binding) pair: items, or where that is NULL those that reader makes
 * of memory when they are used. Both are borrowed for the dispatch, and NULL when count is 0. */
struct rp_descriptor_array {
    const struct rp_descriptor *items;
    uint32_t count;
    const uint8_t *memory;
    const struct rp_descriptor_reader *reader;
};

struct rp_dispatch {
    const struct rp_kernel *kernel;
    struct rp_variants *variants; /* of the kernel: one may take its place. NULL: none */
    const struct rp_descriptor_array *bindings; /* in the order of rp_kernel_bindings() */
    const bool *are_transient;  /* by binding: rp_dispatcher_start() copies the items; NULL: none */
    const void *push_constants; /* RP_MAX_PUSH_CONSTANT_B bytes */
    uint32_t base_group[3];
    uint32_t group_count[3];
    uint64_t timeout_ns;                 /* 0: none */
    uint64_t stream_min_B;               /* as RP_STREAM_MIN_B, which 0 stands for */
    struct rp_probe_total *probe_totals; /* of the kernel's probes: what is counted is added */
    struct rp_recorder *recorder;  /* of a kernel that was made with wants_accesses; may be NULL */
    struct rp_op_total *op_totals; /* by kind, of a kernel that was made with wants_op_counts */
    atomic_uint_fast64_t *cpu_ns;  /* what all threads spend on it is added; NULL: nobody asks */
};

/* workers: borrowed; may be NULL (one thread). NULL when memory is short. A dispatcher runs one
 * dispatch at a time. */
struct rp_dispatcher *rp_dispatcher_create(struct rp_workers *workers);
void rp_dispatcher_destroy(struct rp_dispatcher *dispatcher); /* accepts NULL */

/* Returns when every workgroup has run. VK_ERROR_DEVICE_LOST after timeout_ns,
 * VK_ERROR_OUT_OF_HOST_MEMORY. */
VkResult rp_dispatcher_run(struct rp_dispatcher *dispatcher,
                           const struct rp_dispatch *dispatch) RP_MUST_CHECK;

/* rp_dispatcher_run() for a dispatch that depends on none that was started and not yet finished. It
 * may run at once, or beside others when rp_dispatcher_finish() is called; what dispatch points to
 * is copied, but for the items that are not transient. *is_open_out: it has still to run. */
VkResult rp_dispatcher_start(struct rp_dispatcher *dispatcher, const struct rp_dispatch *dispatch,
                             bool *is_open_out) RP_MUST_CHECK;
VkResult rp_dispatcher_finish(struct rp_dispatcher *dispatcher) RP_MUST_CHECK;

#endif
