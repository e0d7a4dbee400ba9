/* SPDX-License-Identifier: MIT */
/* Runs a kernel over its grid: rows of invocations in chunks, or workgroup by workgroup, on as
 * many threads as the work is worth.
 */
#include "compute/slice.h"
#include "compute/variants.h"
#include "platform/clock.h"
#include "util/alloc.h"

#include <string.h>

#define SLICES_PER_THREAD 8u
#define MORE_SLICES_PER_THREAD 32u /* where a slice still lasts some 50 microseconds */
/* About what an operation takes for a chunk; below some 20 microseconds a second thread is not
 * worth waking. */
#define OP_NS 50u
#define ALONE_NS 30000u
#define THREAD_NS 30000u /* what a thread more is woken for */
#define LONG_NS 3200000u
#define MIN_PART_LANES 64u /* of a chunk that is parted: an operation costs about as much besides */
/* Without a measurement the work of a program without loops is guessed, mostly too high: up to here
 * one thread runs it now and then, to know better. */
#define MEASURED_NS 300000u
#define TIMING_COUNT 16u
#define RUNS_PER_TIMING 64u       /* of a program with loops */
#define RUNS_PER_GUESS_CHECK 256u /* of another one */
/* When the caches are warm; the first runs on one thread fetch from those of others. */
#define FIRST_GUESS_CHECK 7u
#define GUESS_CHECK_COUNT 4u
#define FAR_LONGER 2u
#define RUNS_OF_DOUBT 8u
#define BATCH_ENTRIES 64u
#define BATCH_BINDINGS 16u
#define BATCH_ITEMS 16u

struct timing {
    const struct rp_program *program; /* to compare: may be gone */
    uint64_t chunk_ns;                /* 0: not known */
    uint32_t age;                     /* in runs, of all programs that come here */
    bool is_due;                      /* of a program without loops: to be measured */
    uint64_t before_ns;               /* chunk_ns before it was forgotten */
    uint32_t doubt_count; /* runs to come of which one that takes far longer, too, is believed */
};

struct rp_dispatcher {
    struct rp_workers *workers; /* borrowed; may be NULL */
    uint32_t thread_count;
    struct timing timings[TIMING_COUNT];
    struct batch *batch; /* owned; NULL until used */
    atomic_bool is_cancelled;
    atomic_bool is_short;              /* of memory */
    struct rp_thread_memory threads[]; /* two for each thread: one for the careful program */
};

/* Dispatches that were started: each too small for all threads, together on all of them. */
struct batch_entry {
    struct rp_run run;
    struct rp_dispatch info;
    bool is_picked;
    struct rp_pick pick;
    uint32_t first_slice; /* in the batch; a slice of the dispatch is a chunk */
    struct rp_descriptor_array arrays[BATCH_BINDINGS];
    struct rp_descriptor items[BATCH_ITEMS]; /* the transient ones */
};

struct batch {
    uint32_t count;
    uint32_t slice_count;
    uint64_t work_ns; /* of all, estimated */
    struct batch_entry entries[BATCH_ENTRIES];
};

struct rp_dispatcher *
rp_dispatcher_create(struct rp_workers *workers)
{
    const uint32_t count = workers ? rp_workers_thread_count(workers) : 1;
    struct rp_dispatcher *d = rp_zalloc(NULL, sizeof(*d) + 2 * count * sizeof(d->threads[0]),
                                        _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!d)
        return NULL;
    d->workers = workers;
    d->thread_count = count;
    atomic_init(&d->is_cancelled, false);
    atomic_init(&d->is_short, false);
    return d;
}

/* All of it has run, or will not. batch may be NULL. */
static void
batch_end(struct batch *batch, bool is_done)
{
    for (uint32_t i = 0; batch && i < batch->count; i++)
        if (batch->entries[i].is_picked)
            rp_pick_end(&batch->entries[i].pick, is_done);
}

void
rp_dispatcher_destroy(struct rp_dispatcher *d)
{
    if (!d)
        return;
    batch_end(d->batch, false);
    for (uint32_t t = 0; t < 2 * d->thread_count; t++)
        rp_thread_memory_finish(&d->threads[t]);
    rp_free(NULL, d->batch);
    rp_free(NULL, d);
}

static uint64_t
saturating_mul(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX / 2 : product;
}

/* Rows when they are long enough, or when a workgroup would not be longer. */
static bool
wants_rows(const struct rp_kernel *kernel, const uint64_t extent[3])
{
    if (!kernel->rows)
        return false;
    for (uint32_t i = 0; i < 3; i++)
        if (extent[i] > UINT32_MAX)
            return false;
    const uint32_t *size = kernel->local_size;
    return extent[0] >= 192 || extent[0] >= (uint64_t)size[0] * size[1] * size[2];
}

/* Whole workgroups, small ones side by side. */
static void
plan_groups(struct rp_run *run)
{
    const struct rp_kernel *kernel = run->info->kernel;
    const uint32_t *count = run->info->group_count;

    run->program = kernel->packed && count[0] > 1 ? kernel->packed : kernel->groups;
    const uint32_t pack = run->program->pack;
    const uint64_t chunks = ((uint64_t)count[0] + pack - 1) / pack;
    run->groups_per_chunk = chunks ? (uint32_t)((count[0] + chunks - 1) / chunks) : 1;
    run->chunks_per_line = (uint32_t)chunks;
    run->chunk_count = saturating_mul(saturating_mul(chunks, count[1]), count[2]);
}

static void
plan(struct rp_run *run)
{
    const struct rp_kernel *kernel = run->info->kernel;
    const uint32_t *count = run->info->group_count;
    uint64_t extent[3];
    for (uint32_t i = 0; i < 3; i++)
        extent[i] = (uint64_t)count[i] * kernel->local_size[i];

    if (!wants_rows(kernel, extent)) {
        plan_groups(run);
        return;
    }
    run->program = kernel->rows;
    for (uint32_t i = 0; i < 3; i++)
        run->extent[i] = (uint32_t)extent[i];
    run->chunks_per_row = (uint32_t)((extent[0] + run->program->lanes - 1) / run->program->lanes);
    const uint32_t even = (uint32_t)((extent[0] + run->chunks_per_row - 1) / run->chunks_per_row);
    run->chunk_lanes = (even + RP_BLOCK_LANES - 1) / RP_BLOCK_LANES * RP_BLOCK_LANES;
    run->chunks_per_row = (uint32_t)((extent[0] + run->chunk_lanes - 1) / run->chunk_lanes);
    run->chunk_count = saturating_mul(saturating_mul(run->chunks_per_row, extent[1]), extent[2]);
}

/* Chunks of a part of the lanes, so that there are up to `parts` times as many. */
static void
part_rows(struct rp_run *run, uint32_t parts)
{
    const uint32_t part = (run->chunk_lanes + parts - 1) / parts;
    const uint32_t lanes = (part + RP_BLOCK_LANES - 1) / RP_BLOCK_LANES * RP_BLOCK_LANES;
    run->chunk_lanes = RP_MIN(RP_MAX(lanes, MIN_PART_LANES), run->chunk_lanes);
    run->chunks_per_row = (run->extent[0] - 1) / run->chunk_lanes + 1;
    run->chunk_count =
        saturating_mul(saturating_mul(run->chunks_per_row, run->extent[1]), run->extent[2]);
}

/* Of fewer workgroups side by side. */
static void
part_groups(struct rp_run *run, uint32_t parts)
{
    const uint32_t *size = run->info->kernel->local_size, *count = run->info->group_count;
    const uint32_t lanes = size[0] * size[1] * size[2];
    const uint32_t least = (MIN_PART_LANES + lanes - 1) / lanes;
    const uint32_t part = (run->groups_per_chunk + parts - 1) / parts;
    run->groups_per_chunk = RP_MIN(RP_MAX(part, least), run->groups_per_chunk);
    run->chunks_per_line = (count[0] - 1) / run->groups_per_chunk + 1;
    run->chunk_count = saturating_mul(saturating_mul(run->chunks_per_line, count[1]), count[2]);
}

/* A grid with fewer chunks than there are threads that it is worth: chunk_count of all that runs
 * beside it. */
static void
part_for(struct rp_run *run, uint32_t thread_count, uint64_t chunk_count)
{
    if (chunk_count >= thread_count || run->info->recorder)
        return;
    const uint32_t parts = (uint32_t)((thread_count + chunk_count - 1) / chunk_count);
    if (run->chunks_per_row)
        part_rows(run, parts);
    else
        part_groups(run, parts);
}

/* For count dispatches that run side by side. */
static uint64_t
deadline(const struct rp_dispatch *info, uint32_t count)
{
    return info->timeout_ns ? rp_clock_now_ns() + saturating_mul(info->timeout_ns, count) : 0;
}

/* What a chunk of a program takes: measured where one thread runs it, and forgotten now and then,
 * because that thread may have lost its processor. */
static struct timing *
timing_of(struct rp_dispatcher *dispatcher, const struct rp_program *program)
{
    struct timing *timing = &dispatcher->timings[(uintptr_t)program / 64 % TIMING_COUNT];
    if (timing->program != program)
        *timing = (struct timing){.program = program, .age = timing->age};
    return timing;
}

/* A guess at what the run takes, as if its loops were run through once. */
static uint64_t
guess_ns(const struct rp_run *run)
{
    return saturating_mul(run->chunk_count, (uint64_t)run->program->stats.op_count * OP_NS);
}

/* 0: not known. */
static uint64_t
estimate_ns(struct rp_dispatcher *dispatcher, const struct rp_run *run)
{
    const uint64_t chunk_ns = timing_of(dispatcher, run->program)->chunk_ns;
    if (chunk_ns)
        return saturating_mul(run->chunk_count, chunk_ns);
    return run->program->stats.loop_count ? 0 : guess_ns(run);
}

/* A thread that lost its processor for a moment measures that, too, once in some hundred runs: what
 * took far longer than before is believed when one of the next few runs does as well. It need not
 * be the next one: a kernel may do much and little by turns. */
static void
timing_note(struct timing *timing, uint64_t chunk_ns)
{
    const uint64_t before_ns = timing->chunk_ns ? timing->chunk_ns : timing->before_ns;
    const bool is_far_longer = before_ns && chunk_ns > FAR_LONGER * before_ns;
    const bool is_doubted = is_far_longer && timing->doubt_count == 0;

    timing->chunk_ns = is_doubted ? before_ns : chunk_ns;
    if (is_doubted)
        timing->doubt_count = RUNS_OF_DOUBT;
    else if (is_far_longer)
        timing->doubt_count = 0;
    else if (timing->doubt_count)
        timing->doubt_count--;
}

/* On the calling thread. Where a measurement alone says that one thread is enough it is made again
 * each time: how much a kernel does may depend on what it reads. */
static void
run_timed(struct rp_dispatcher *dispatcher, struct rp_run *run)
{
    struct timing *timing = timing_of(dispatcher, run->program);
    if (timing->chunk_ns && !timing->is_due && !timing->doubt_count && guess_ns(run) <= ALONE_NS) {
        rp_run_slice(run, dispatcher->threads, 0);
        return;
    }
    const uint64_t begin_ns = rp_clock_now_ns();
    rp_run_slice(run, dispatcher->threads, 0);
    const uint64_t chunk_ns = (rp_clock_now_ns() - begin_ns) / run->chunk_count + 1;
    if (!timing->is_due || !timing->chunk_ns || chunk_ns < timing->chunk_ns)
        timing_note(timing, chunk_ns);
}

static uint32_t
threads_worth(const struct rp_dispatcher *dispatcher, uint64_t work_ns)
{
    return (uint32_t)RP_MIN(work_ns / THREAD_NS + 1, dispatcher->thread_count);
}

static VkResult
dispatcher_result(const struct rp_dispatcher *dispatcher)
{
    if (atomic_load(&dispatcher->is_short))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    return atomic_load(&dispatcher->is_cancelled) ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

static void
dispatcher_reset(struct rp_dispatcher *dispatcher)
{
    atomic_store_explicit(&dispatcher->is_cancelled, false, memory_order_relaxed);
    atomic_store_explicit(&dispatcher->is_short, false, memory_order_relaxed);
}

/* False: there is nothing to do. */
static bool
run_init(struct rp_run *run, struct rp_dispatcher *dispatcher, const struct rp_dispatch *info)
{
    *run = (struct rp_run){
        .is_cancelled = &dispatcher->is_cancelled,
        .is_short = &dispatcher->is_short,
        .info = info,
    };
    plan(run);
    run->grid_lanes = saturating_mul(run->chunk_count, run->chunk_count ? run->program->lanes : 0);
    if (run->chunk_count) {
        struct timing *timing = timing_of(dispatcher, run->program);
        const uint32_t age = timing->age++;
        const uint32_t due = run->program->stats.loop_count
                                 ? age % RUNS_PER_TIMING
                                 : age % RUNS_PER_GUESS_CHECK - FIRST_GUESS_CHECK;
        timing->is_due = due < GUESS_CHECK_COUNT && !run->program->stats.loop_count;
        if (due == 0) {
            timing->before_ns = timing->chunk_ns;
            timing->chunk_ns = 0;
        }
    }
    if (run->chunk_count && run->program->push_B && info->push_constants)
        memcpy(run->push, info->push_constants, run->program->push_B);
    return run->chunk_count != 0;
}

struct work {
    struct rp_dispatcher *dispatcher;
    const struct rp_run *run;
};

static void
run_slice(void *ctx, uint32_t slice, uint32_t thread)
{
    const struct work *work = ctx;
    rp_run_slice(work->run, &work->dispatcher->threads[2 * thread], slice);
}

/* Sets run->slice_count. Returns how many threads the work is worth. */
static uint32_t
run_divide(struct rp_dispatcher *dispatcher, struct rp_run *run)
{
    const bool is_due = timing_of(dispatcher, run->program)->is_due;
    const uint64_t known_ns = estimate_ns(dispatcher, run);
    const uint64_t work_ns = known_ns ? known_ns : guess_ns(run);
    const uint32_t thread_count =
        known_ns ? threads_worth(dispatcher, known_ns) : dispatcher->thread_count;

    run->slice_count = 1;
    if (!run->info->recorder && thread_count > 1 && work_ns > (is_due ? MEASURED_NS : ALONE_NS)) {
        part_for(run, threads_worth(dispatcher, work_ns), run->chunk_count);
        const uint64_t slice_count =
            (uint64_t)thread_count *
            (work_ns > LONG_NS ? MORE_SLICES_PER_THREAD : SLICES_PER_THREAD);
        run->slice_count = RP_MIN(slice_count, run->chunk_count);
    }
    return thread_count;
}

static VkResult
run_now(struct rp_dispatcher *dispatcher, struct rp_run *run)
{
    run->deadline_ns = deadline(run->info, 1);
    dispatcher_reset(dispatcher);
    const uint32_t thread_count = run_divide(dispatcher, run);
    if (run->slice_count == 1)
        run_timed(dispatcher, run);
    else
        rp_workers_run_on(dispatcher->workers, thread_count, (uint32_t)run->slice_count, run_slice,
                          &(struct work){dispatcher, run});
    return dispatcher_result(dispatcher);
}

/* By what was picked for it. */
static struct rp_dispatch
picked(const struct rp_dispatch *info, struct rp_pick *pick)
{
    struct rp_dispatch out = *info;
    if (pick->kernel)
        out.kernel = pick->kernel;
    if (pick->is_measured)
        out.cpu_ns = &pick->cpu_ns;
    return out;
}

static VkResult
run_alone(struct rp_dispatcher *dispatcher, const struct rp_dispatch *info)
{
    struct rp_run run;
    return run_init(&run, dispatcher, info) ? run_now(dispatcher, &run) : VK_SUCCESS;
}

VkResult
rp_dispatcher_run(struct rp_dispatcher *dispatcher, const struct rp_dispatch *info)
{
    struct rp_pick pick;
    if (!info->variants || !rp_variants_pick(info->variants, info, &pick))
        return run_alone(dispatcher, info);
    const struct rp_dispatch chosen = picked(info, &pick);
    const VkResult result = run_alone(dispatcher, &chosen);
    rp_pick_end(&pick, result == VK_SUCCESS);
    return result;
}

/* Worth a thread of its own, and not enough for all of them. What is due runs alone, or nobody
 * would ever know that the guess is too high. */
static bool
is_worth_batching(struct rp_dispatcher *dispatcher, const struct rp_run *run)
{
    const uint64_t work_ns = estimate_ns(dispatcher, run);
    return dispatcher->thread_count > 1 &&
           run->chunk_count < (uint64_t)dispatcher->thread_count * SLICES_PER_THREAD &&
           work_ns > (timing_of(dispatcher, run->program)->is_due ? MEASURED_NS : ALONE_NS);
}

static bool
entry_copy_bindings(struct batch_entry *entry, const struct rp_dispatch *info)
{
    const uint32_t count = info->kernel->binding_count;
    uint32_t item_count = 0;

    if (count > BATCH_BINDINGS)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct rp_descriptor_array *array = &info->bindings[i];
        entry->arrays[i] = *array;
        if (!array->items || !info->are_transient || !info->are_transient[i])
            continue;
        if (array->count > BATCH_ITEMS - item_count)
            return false;
        memcpy(entry->items + item_count, array->items, array->count * sizeof(*array->items));
        entry->arrays[i].items = entry->items + item_count;
        item_count += array->count;
    }
    return true;
}

/* pick: taken when the result is true; may be NULL. */
static bool
batch_add(struct rp_dispatcher *dispatcher, const struct rp_run *run, const struct rp_pick *pick)
{
    if (!dispatcher->batch)
        dispatcher->batch = rp_zalloc(NULL, sizeof(*dispatcher->batch), _Alignof(max_align_t),
                                      VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    struct batch *batch = dispatcher->batch;
    if (!batch)
        return false;
    struct batch_entry *entry = &batch->entries[batch->count];
    if (!entry_copy_bindings(entry, run->info))
        return false;
    entry->run = *run;
    entry->info = *run->info;
    entry->info.bindings = entry->arrays;
    entry->info.are_transient = NULL;
    entry->info.push_constants = NULL; /* run has them */
    entry->is_picked = pick != NULL;
    if (pick) {
        entry->pick = *pick;
        entry->info.cpu_ns = pick->is_measured ? &entry->pick.cpu_ns : NULL;
    }
    entry->run.info = &entry->info;
    entry->run.slice_count = run->chunk_count;
    entry->first_slice = batch->slice_count;
    batch->slice_count += (uint32_t)run->chunk_count;
    batch->work_ns += estimate_ns(dispatcher, run);
    batch->count++;
    return true;
}

/* *is_open_out: pick has been taken. */
static VkResult
start(struct rp_dispatcher *dispatcher, const struct rp_dispatch *info, const struct rp_pick *pick,
      bool *is_open_out)
{
    struct rp_run run;
    *is_open_out = false;
    if (!run_init(&run, dispatcher, info))
        return VK_SUCCESS;
    if (!is_worth_batching(dispatcher, &run) || !batch_add(dispatcher, &run, pick))
        return run_now(dispatcher, &run);
    *is_open_out = true;
    return VK_SUCCESS;
}

VkResult
rp_dispatcher_start(struct rp_dispatcher *dispatcher, const struct rp_dispatch *info,
                    bool *is_open_out)
{
    VkResult result;
    struct rp_pick pick;
    if (!info->variants || !rp_variants_pick(info->variants, info, &pick)) {
        result = start(dispatcher, info, NULL, is_open_out);
    } else {
        const struct rp_dispatch chosen = picked(info, &pick);
        result = start(dispatcher, &chosen, &pick, is_open_out);
        if (!*is_open_out)
            rp_pick_end(&pick, result == VK_SUCCESS);
    }
    if (!*is_open_out || dispatcher->batch->count < BATCH_ENTRIES)
        return result;
    *is_open_out = false;
    return rp_dispatcher_finish(dispatcher);
}

static void
run_batch_slice(void *ctx, uint32_t slice, uint32_t thread)
{
    struct rp_dispatcher *dispatcher = ctx;
    const struct batch *batch = dispatcher->batch;
    uint32_t i = 0;
    while (i + 1 < batch->count && batch->entries[i + 1].first_slice <= slice)
        i++;
    rp_run_slice(&batch->entries[i].run, &dispatcher->threads[2 * thread],
                 slice - batch->entries[i].first_slice);
}

static void
batch_part(struct batch *batch, uint32_t thread_count)
{
    const uint32_t chunk_count = batch->slice_count;
    batch->slice_count = 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        struct batch_entry *entry = &batch->entries[i];
        part_for(&entry->run, thread_count, chunk_count);
        entry->run.slice_count = entry->run.chunk_count;
        entry->first_slice = batch->slice_count;
        batch->slice_count += (uint32_t)entry->run.chunk_count;
    }
}

VkResult
rp_dispatcher_finish(struct rp_dispatcher *dispatcher)
{
    struct batch *batch = dispatcher->batch;
    if (!batch || !batch->count)
        return VK_SUCCESS;
    const uint32_t thread_count = threads_worth(dispatcher, batch->work_ns);
    if (batch->slice_count < thread_count)
        batch_part(batch, thread_count);
    for (uint32_t i = 0; i < batch->count; i++)
        batch->entries[i].run.deadline_ns = deadline(&batch->entries[i].info, batch->count);
    dispatcher_reset(dispatcher);
    rp_workers_run_on(dispatcher->workers, thread_count, batch->slice_count, run_batch_slice,
                      dispatcher);
    const VkResult result = dispatcher_result(dispatcher);
    batch_end(batch, result == VK_SUCCESS);
    batch->work_ns = 0;
    batch->count = 0;
    batch->slice_count = 0;
    return result;
}
