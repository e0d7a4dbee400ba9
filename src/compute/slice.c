/* SPDX-License-Identifier: MIT */
/* Runs chunks of a grid on one thread: rows of invocations, or workgroups. A chunk that fails a
 * guard (ir/guard.c) is run by the careful program, or the part of it that does; all of them are
 * where buffers overlap that the program takes for apart (ir/apart.c).
 */
#include "compute/slice.h"

#include "compute/ir/ir.h"
#include "platform/clock.h"
#include "util/alloc.h"

#include <string.h>

#define CHUNKS_PER_LOOK 64u /* between looks at the clock */
#define FUEL 4096u
#define FEW_FAILED 8u       /* chunks: until then nothing is concluded */
#define MAX_SPLITS 3u       /* of a chunk, one inside the other */
#define MIN_SPLIT_LANES 96u /* less: to run it all carefully takes no longer */

/* Makes *memory at least that large; what was in it is lost. */
static bool
grow(void *memory, size_t *have_B, size_t want_B)
{
    void **p = memory;
    if (want_B <= *have_B)
        return true;
    rp_free(NULL, *p);
    *p = rp_zalloc(NULL, want_B, 64, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    *have_B = *p ? want_B : 0;
    return *p != NULL;
}

void
rp_thread_memory_finish(struct rp_thread_memory *t)
{
    rp_free(NULL, t->x);
    rp_free(NULL, t->registers);
    rp_free(NULL, t->lanes);
    rp_free(NULL, t->shared);
    rp_free(NULL, t->adds);
    rp_free(NULL, t->probes);
    rp_free(NULL, t->op_counts);
}

static bool
adds_prepare(struct rp_thread_memory *t)
{
    if (t->adds)
        return true;
    if (!grow(&t->adds, &t->adds_B, sizeof(*t->adds)))
        return false;
    rp_adds_init(t->adds);
    return true;
}

/* Prepares the counters of a program that counts, for a profile; t->x is there. */
static bool
counts_prepare(const struct rp_run *run, struct rp_thread_memory *t)
{
    const struct rp_program *p = run->program;
    const size_t probes_B = run->info->kernel->probe_count * sizeof(t->probes[0]);
    const size_t ops_B = p->handlers ? p->op_count * sizeof(t->op_counts[0]) : 0;
    if (!grow(&t->probes, &t->probes_B, probes_B) || !grow(&t->op_counts, &t->op_counts_B, ops_B))
        return false;
    if (probes_B)
        memset(t->probes, 0, probes_B);
    for (uint32_t i = 0; p->handlers && i < p->op_count; i++)
        t->op_counts[i] = (struct rp_op_count){.fn = p->handlers[i]};
    t->x->probes = t->probes;
    if (p->handlers)
        t->x->counting.distance_B = (uintptr_t)t->op_counts - (uintptr_t)p->ops;
    else
        t->x->recorder = run->info->recorder;
    return true;
}

static bool
thread_prepare(const struct rp_run *run, struct rp_thread_memory *t)
{
    const struct rp_program *p = run->program;
    const size_t exec_B = sizeof(struct rp_exec) + p->level_count * sizeof(struct rp_level);
    const size_t slot_B = (size_t)p->lanes * p->lane_slot_B;

    if (!grow(&t->x, &t->exec_B, exec_B) || !grow(&t->registers, &t->register_B, p->register_B) ||
        !grow(&t->lanes, &t->lane_B, p->lane_slot_count * slot_B) ||
        !grow(&t->shared, &t->shared_B, p->shared_B) || (p->add_binding_count && !adds_prepare(t)))
        return false;
    rp_program_make_code(p);
    struct rp_exec *x = t->x;
    memcpy(t->registers, p->scalars, p->scalar_B);
    x->geometry = p->geometry;
    x->grid_lanes = run->grid_lanes;
    x->stream_min_B = run->info->stream_min_B ? run->info->stream_min_B : RP_STREAM_MIN_B;
    x->lane_memory = t->lanes;
    x->lane_slot_B = slot_B;
    x->fuel = FUEL;
    x->deadline_ns = run->deadline_ns;
    x->is_cancelled = run->is_cancelled;
    x->bindings = run->info->bindings;
    x->binding_count = run->info->kernel->binding_count;
    x->pages = run->info->kernel->pages;
    x->page_count = run->info->kernel->page_count;
    x->images = p->images;
    x->adds = p->add_binding_count ? t->adds : NULL;
    return RP_LIKELY(!p->has_counts) || counts_prepare(run, t);
}

static void
thread_bind(const struct rp_run *run, struct rp_thread_memory *t)
{
    struct rp_exec *x = t->x;

    rp_exec_bind(x);
    x->memory[IR_MEMORY_SHARED] = (struct rp_memory){t->shared, run->program->shared_B};
    x->memory[IR_MEMORY_PUSH] = (struct rp_memory){(uint8_t *)run->push, run->program->push_B};
    x->memory[IR_MEMORY_TABLE] = (struct rp_memory){run->program->table, run->program->table_B};

    for (uint32_t c = 0; c < RP_KEPT_MACS; c++)
        x->macs[c].op = NULL;
    for (uint32_t w = 0; w < RP_WALKS; w++)
        x->walks[w].goes_on = false;
    for (uint32_t s = 0; s < run->program->add_binding_count; s++)
        x->adds->memory[s] = x->memory[run->program->add_bindings[s]];

    uint32_t *groups = (uint32_t *)(t->registers + IR_GROUPS_X * 8);
    for (uint32_t i = 0; i < 3; i++)
        groups[2 * i] = run->info->group_count[i];
}

/* The lanes of a workgroup, where several are side by side: some may have no invocation. */
static uint32_t
group_lanes(const struct rp_program *p)
{
    return p->local_size[0] * p->local_size[1] * (p->pack > 1 ? 1 : p->local_size[2]);
}

/* Leaves the first `busy` of each `lanes` lanes active. */
static void
close_lanes(struct rp_exec *x, uint32_t lanes, uint32_t busy)
{
    struct rp_level *level = &x->levels[0];
    for (uint32_t first = 0; first < x->lane_count; first += lanes)
        for (uint32_t lane = first + busy; lane < first + lanes; lane++)
            level->bits[lane / RP_BLOCK_LANES] &= (uint16_t) ~(1u << lane % RP_BLOCK_LANES);
    level->is_full = false;
    rp_level_enter(x, level);
}

/* Makes the first lane_count lanes active. */
static void
open_lanes(struct rp_exec *x, uint32_t lane_count)
{
    struct rp_level *level = &x->levels[0];
    const int32_t blocks = (int32_t)((lane_count + RP_BLOCK_LANES - 1) / RP_BLOCK_LANES);
    const uint32_t rest = lane_count % RP_BLOCK_LANES;

    memset(level->bits, 0xff, (size_t)blocks * sizeof(level->bits[0]));
    if (rest)
        level->bits[blocks - 1] = (uint16_t)((1u << rest) - 1);
    level->k0 = 0;
    level->k1 = blocks;
    level->is_full = rest == 0;
    level->blocks = UINT64_MAX >> (64 - blocks);
    x->lane_count = lane_count;
    x->failed_k1 = 0;
    rp_level_enter(x, level);
}

/* Lanes from (x, y, z) on: of a row, or of workgroups. */
struct chunk {
    uint32_t lane_count;
    uint32_t x, y, z;
    uint32_t busy_lanes; /* the first of each workgroup, where they have more; 0: all */
};

/* Runs the program; false: a guard has ended it, nothing was written. */
static bool
run_chunk(const struct rp_run *run, struct rp_thread_memory *t, const struct chunk *chunk)
{
    uint32_t *group = (uint32_t *)(t->registers + IR_GROUP_X * 8);

    if (run->info->kernel->zeroes_shared)
        memset(t->shared, 0, run->program->shared_B);
    for (uint32_t w = 0; w < run->program->walk_count; w++)
        t->x->walks[w].has_run = false;
    group[0] = chunk->x;
    group[2] = chunk->y;
    group[4] = chunk->z;
    open_lanes(t->x, chunk->lane_count);
    if (chunk->busy_lanes)
        close_lanes(t->x, group_lanes(run->program), chunk->busy_lanes);
    rp_exec_run(run->program->ops + run->program->main_op, t->registers, t->x);
    return t->x->failed_k1 == 0;
}

static __attribute__((noinline, cold)) bool
has_overlaps(const struct rp_program *p, const struct rp_exec *x)
{
    for (uint32_t n = 0; n < p->apart_count; n++) {
        const struct rp_memory *a = &x->memory[p->apart[n].a], *b = &x->memory[p->apart[n].b];
        if ((uintptr_t)a->ptr < (uintptr_t)b->ptr + b->size_B &&
            (uintptr_t)b->ptr < (uintptr_t)a->ptr + a->size_B)
            return true;
    }
    return false;
}

/* A part of a dispatch on one thread. */
struct slice {
    const struct rp_run *run;
    struct rp_thread_memory *t;
    struct rp_run careful; /* made when the first guard fails */
    bool has_careful;
    bool has_overlaps;     /* of buffers that the program takes for apart */
    uint32_t chunk_count;  /* that were tried with guards */
    uint32_t failed_count; /* of these, those of which little is left without the careful program */
};

/* What comes before the first chunk; false: memory is short. */
static bool
slice_begin(const struct rp_run *run, struct rp_thread_memory *t)
{
    if (!thread_prepare(run, t)) {
        atomic_store(run->is_short, true);
        return false;
    }
    thread_bind(run, t);
    if (run->program->main_op) {
        open_lanes(t->x, run->program->lanes);
        rp_exec_run(run->program->ops, t->registers, t->x);
    }
    return true;
}

/* By the program with clamps. Its chunks may be shorter. */
static void
run_carefully(struct slice *s, const struct chunk *chunk)
{
    struct rp_thread_memory *t = s->t + 1;
    if (!s->has_careful) {
        s->careful = *s->run;
        s->careful.program = s->run->program->careful;
        if (!slice_begin(&s->careful, t))
            return;
        s->has_careful = true;
    }
    const uint32_t most = s->run->chunks_per_row ? s->careful.program->lanes : chunk->lane_count;
    for (uint32_t done = 0; done < chunk->lane_count; done += most) {
        const uint32_t left = chunk->lane_count - done;
        (void)run_chunk(
            &s->careful, t,
            &(struct chunk){left < most ? left : most, chunk->x + done, chunk->y, chunk->z, 0});
    }
}

/* Around the lanes that fail, as a rule those at the border of a picture, the guards may hold. */
static void
run_guarded(struct slice *s, const struct chunk *chunk, uint32_t depth)
{
    s->chunk_count++;
    if (run_chunk(s->run, s->t, chunk))
        return;
    const struct rp_exec *x = s->t->x;
    const uint32_t begin = (uint32_t)x->failed_k0 * RP_BLOCK_LANES;
    const uint32_t reach = (uint32_t)x->failed_k1 * RP_BLOCK_LANES;
    const uint32_t end = reach < chunk->lane_count ? reach : chunk->lane_count;
    if (!s->run->chunks_per_row || depth == MAX_SPLITS ||
        (!depth && chunk->lane_count < MIN_SPLIT_LANES) || end - begin > chunk->lane_count / 2) {
        s->failed_count++;
        run_carefully(s, chunk);
        return;
    }
    if (begin)
        run_guarded(s, &(struct chunk){begin, chunk->x, chunk->y, chunk->z, 0}, depth + 1);
    run_carefully(s, &(struct chunk){end - begin, chunk->x + begin, chunk->y, chunk->z, 0});
    if (end < chunk->lane_count)
        run_guarded(s,
                    &(struct chunk){chunk->lane_count - end, chunk->x + end, chunk->y, chunk->z, 0},
                    depth + 1);
}

static void
run_lanes(struct slice *s, const struct chunk *chunk)
{
    if (!s->run->program->careful)
        (void)run_chunk(s->run, s->t, chunk);
    else if (s->has_overlaps ||
             (s->failed_count > FEW_FAILED && s->failed_count > s->chunk_count / 2))
        run_carefully(s, chunk);
    else
        run_guarded(s, chunk, 0);
}

static void
run_row_chunk(struct slice *s, uint64_t chunk)
{
    const struct rp_run *run = s->run;
    const uint32_t in_row = (uint32_t)(chunk % run->chunks_per_row);
    const uint64_t row = chunk / run->chunks_per_row;
    const uint32_t first = in_row * run->chunk_lanes;
    const uint32_t left = run->extent[0] - first;
    const uint32_t *size = run->info->kernel->local_size;
    const uint32_t *base = run->info->base_group;

    run_lanes(s, &(struct chunk){
                     .lane_count = left < run->chunk_lanes ? left : run->chunk_lanes,
                     .x = base[0] * size[0] + first,
                     .y = base[1] * size[1] + (uint32_t)(row % run->extent[1]),
                     .z = base[2] * size[2] + (uint32_t)(row / run->extent[1]),
                 });
}

static void
run_groups(struct slice *s, uint64_t chunk)
{
    const struct rp_run *run = s->run;
    const uint32_t *count = run->info->group_count, *base = run->info->base_group;
    const uint32_t *size = run->info->kernel->local_size;
    const uint32_t first = (uint32_t)(chunk % run->chunks_per_line) * run->groups_per_chunk;
    const uint64_t line = chunk / run->chunks_per_line;
    const uint32_t left = count[0] - first;
    const uint32_t groups = left < run->groups_per_chunk ? left : run->groups_per_chunk;
    const uint32_t lanes = group_lanes(run->program), busy = size[0] * size[1] * size[2];

    run_lanes(s, &(struct chunk){
                     .lane_count = groups * lanes,
                     .x = base[0] + first,
                     .y = base[1] + (uint32_t)(line % count[1]),
                     .z = base[2] + (uint32_t)(line / count[1]),
                     .busy_lanes = busy < lanes ? busy : 0,
                 });
}

static void
run_chunks(struct slice *s, uint64_t from, uint64_t to)
{
    for (uint64_t chunk = from; chunk < to; chunk++) {
        if (s->run->chunks_per_row)
            run_row_chunk(s, chunk);
        else
            run_groups(s, chunk);
        if ((chunk + 1) % CHUNKS_PER_LOOK == 0 && rp_exec_refuel(s->t->x))
            return;
    }
}

static void
slice_end(struct rp_thread_memory *t)
{
    if (t->x->adds)
        rp_adds_flush(t->x->adds);
    rp_exec_settle(t->x);
}

static void
probes_add(const struct rp_run *run, const struct rp_thread_memory *t)
{
    struct rp_probe_total *totals = run->info->probe_totals;
    for (uint32_t i = 0; totals && i < run->info->kernel->probe_count; i++) {
        const struct rp_probe_count *count = &t->probes[i];
        if (!count->active)
            continue;
        atomic_fetch_add_explicit(&totals[i].active, count->active, memory_order_relaxed);
        for (uint32_t w = 0; w < RP_PROBE_WIDTHS; w++)
            atomic_fetch_add_explicit(&totals[i].masks[w], count->masks[w], memory_order_relaxed);
    }
}

static void
op_counts_add(const struct rp_run *run, const struct rp_thread_memory *t)
{
    const struct rp_program *p = run->program;
    struct rp_op_total *totals = run->info->op_totals;
    for (uint32_t i = 0; totals && p->handlers && i < p->op_count; i++) {
        const struct rp_op_count *count = &t->op_counts[i];
        if (!count->runs)
            continue;
        atomic_fetch_add_explicit(&totals[p->codes[i]].runs, count->runs, memory_order_relaxed);
        atomic_fetch_add_explicit(&totals[p->codes[i]].blocks, count->blocks, memory_order_relaxed);
    }
}

static void
counts_add(const struct rp_run *run, const struct rp_thread_memory *t)
{
    probes_add(run, t);
    op_counts_add(run, t);
}

static void
run_slice(const struct rp_run *run, struct rp_thread_memory memory[2], uint32_t slice)
{
    struct slice s = {.run = run, .t = memory};
    const uint64_t from = run->chunk_count / run->slice_count * slice +
                          run->chunk_count % run->slice_count * slice / run->slice_count;
    const uint64_t to = run->chunk_count / run->slice_count * (slice + 1) +
                        run->chunk_count % run->slice_count * (slice + 1) / run->slice_count;

    if (!slice_begin(run, s.t))
        return;
    s.has_overlaps = has_overlaps(run->program, s.t->x);
    run_chunks(&s, from, to);
    slice_end(s.t);
    if (RP_UNLIKELY(run->program->has_counts))
        counts_add(run, s.t);
    if (s.has_careful)
        slice_end(s.t + 1);
    if (s.has_careful && RP_UNLIKELY(run->program->has_counts))
        counts_add(&s.careful, s.t + 1);
}

void
rp_run_slice(const struct rp_run *run, struct rp_thread_memory memory[2], uint32_t slice)
{
    if (RP_LIKELY(!run->info->cpu_ns)) {
        run_slice(run, memory, slice);
        return;
    }
    const uint64_t begin_ns = rp_clock_thread_cpu_ns();
    run_slice(run, memory, slice);
    atomic_fetch_add_explicit(run->info->cpu_ns, rp_clock_thread_cpu_ns() - begin_ns,
                              memory_order_relaxed);
}
