/* SPDX-License-Identifier: MIT */
#include "compute/variants.h"

#include "compute/specializer.h"
#include "compute/trial.h"
#include "compute/watch.h"
#include "platform/clock.h"
#include "util/alloc.h"

#include <pthread.h>
#include <string.h>

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_OBJECT

#define LOOK_NS UINT64_C(250000) /* of a kernel's work between two looks */
#define MAX_STRIDE 4096u         /* dispatches between them */
#define MIN_SEEN 8u              /* looks that find the same values */
#define WORTH 128u               /* times what compiling may cost */
#define MAX_CHANGES 16u          /* looks at a word that has always changed */
#define MISSES 64u               /* dispatches with other values than the variants' */
#define WINS 3u                  /* trials in a row, before a variant is kept */
#define MIN_REST 256u            /* dispatches between two trials of a variant that is kept */
#define MAX_REST 65536u
#define MAX_FAILED 6u /* variants; then the kernel is left alone */
#define PICK_NS 100u  /* what comparing words costs a dispatch */
/* About what compiling costs, until it was measured. */
#define COMPILE_NS UINT64_C(200000)
#define COMPILE_INSTR_NS 2000u

enum slot_state {
    SLOT_FREE,
    SLOT_SEEN,
    SLOT_ASKED, /* being compiled */
    SLOT_TRIED, /* in a trial */
    SLOT_KEPT,
    SLOT_REJECTED,
};

/* Values that came lately. */
struct slot {
    enum slot_state state;
    uint32_t serial; /* never that of other values */
    uint32_t values[RP_MAX_UNIFORM_WORDS];
    uint64_t used_at;
    uint32_t seen_count;
    uint64_t work_ns;
    struct rp_kernel *kernel; /* owned; TRIED, KEPT */
    size_t kernel_B;
    bool is_kept; /* KEPT, or TRIED again */
    uint32_t win_count;
    uint32_t rest; /* dispatches until the next trial */
    uint32_t next_rest;
    struct rp_trial trial;
};

struct rp_variants {
    struct rp_specializer_task task; /* first */
    atomic_uint owner_count;         /* the task is one */
    atomic_uint countdown;           /* dispatches until the next look; a few may be lost */
    atomic_bool is_active;           /* there are variants for values that came lately */
    struct rp_specializer *specializer;
    struct rp_kernel *kernel;
    struct rp_shader *shader;
    char *entry_point;
    VkSpecializationInfo specialization;
    uint32_t cpu_flags;
    bool wants_exact_bounds;
    size_t own_B;

    pthread_mutex_t mutex; /* guards what follows; dispatches try it alone */
    struct rp_watch watch;
    uint8_t change_counts[RP_MAX_UNIFORM_WORDS];
    struct slot slots[RP_MAX_VARIANTS];
    uint64_t now; /* dispatches that came here */
    uint32_t next_serial;
    uint32_t stride;
    uint32_t random;
    uint32_t miss_count; /* in a row */
    uint32_t failed_count;
    uint64_t compile_ns;
    bool is_asked; /* what follows is the task's */
    uint32_t asked_serial;
    uint32_t asked_values[RP_MAX_UNIFORM_WORDS];
    struct rp_watch asked_watch;
    struct rp_variants_statistics statistics;
};

static void
slot_empty(struct rp_variants *v, struct slot *slot)
{
    if (slot->kernel) {
        rp_kernel_destroy(slot->kernel);
        rp_specializer_give_memory(v->specializer, slot->kernel_B);
    }
    slot->kernel = NULL;
    slot->state = SLOT_FREE;
}

static void
variants_free(struct rp_variants *v)
{
    for (uint32_t i = 0; i < RP_MAX_VARIANTS; i++)
        slot_empty(v, &v->slots[i]);
    if (v->own_B)
        rp_specializer_give_memory(v->specializer, v->own_B);
    rp_kernel_destroy(v->kernel);
    rp_shader_destroy(v->shader);
    rp_free(NULL, v->entry_point);
    rp_free(NULL, (void *)v->specialization.pMapEntries);
    rp_free(NULL, (void *)v->specialization.pData);
    pthread_mutex_destroy(&v->mutex);
    rp_free(NULL, v);
}

void
rp_variants_destroy(struct rp_variants *v)
{
    if (v && atomic_fetch_sub(&v->owner_count, 1) == 1)
        variants_free(v);
}

/* NULL when memory is short; of nothing, too, there is a copy. */
static void *
copy_of(const void *from, size_t size_B)
{
    void *copy = rp_alloc(NULL, size_B + 1, 8, SCOPE);
    if (copy && size_B)
        memcpy(copy, from, size_B);
    return copy;
}

static bool
source_copy(struct rp_variants *v, const struct rp_variants_info *info)
{
    static const VkSpecializationInfo none;
    const VkSpecializationInfo *s = info->specialization ? info->specialization : &none;
    const size_t entries_B = s->mapEntryCount * sizeof(s->pMapEntries[0]);
    const size_t name_B = strlen(info->entry_point) + 1;
    const size_t own_B = sizeof(*v) + info->word_count * 4 + entries_B + s->dataSize + name_B;
    if (!rp_specializer_take_memory(v->specializer, own_B))
        return false;
    v->own_B = own_B;
    v->specialization = (VkSpecializationInfo){
        .mapEntryCount = s->mapEntryCount,
        .pMapEntries = copy_of(s->pMapEntries, entries_B),
        .dataSize = s->dataSize,
        .pData = copy_of(s->pData, s->dataSize),
    };
    v->entry_point = copy_of(info->entry_point, name_B);
    return v->entry_point && v->specialization.pMapEntries && v->specialization.pData &&
           rp_shader_create(info->words, info->word_count, NULL, &v->shader) == VK_SUCCESS;
}

static uint64_t
compile_estimate_ns(const struct rp_kernel *kernel)
{
    struct rp_kernel_statistics s;
    rp_kernel_statistics(kernel, &s);
    return COMPILE_NS + (uint64_t)s.ir_instruction_count * COMPILE_INSTR_NS;
}

struct rp_variants *
rp_variants_create(const struct rp_variants_info *info)
{
    struct rp_watch watch;
    rp_watch_init(&watch, info->kernel);
    if (!watch.word_count)
        return NULL;
    struct rp_variants *v = rp_zalloc(NULL, sizeof(*v), _Alignof(struct rp_variants), SCOPE);
    if (!v)
        return NULL;
    pthread_mutex_init(&v->mutex, NULL);
    atomic_init(&v->owner_count, 1);
    atomic_init(&v->countdown, 1);
    atomic_init(&v->is_active, false);
    v->specializer = info->specializer;
    v->kernel = rp_kernel_ref(info->kernel);
    v->cpu_flags = info->cpu_flags;
    v->wants_exact_bounds = info->wants_exact_bounds;
    v->watch = watch;
    v->stride = 1;
    v->random = 1;
    v->compile_ns = compile_estimate_ns(info->kernel);
    if (source_copy(v, info))
        return v;
    variants_free(v);
    return NULL;
}

void
rp_variants_statistics(struct rp_variants *v, struct rp_variants_statistics *out)
{
    pthread_mutex_lock(&v->mutex);
    *out = v->statistics;
    out->word_count = v->watch.word_count;
    pthread_mutex_unlock(&v->mutex);
}

/* Compiling, on the specializer's thread. */

static bool
bindings_agree(const struct rp_kernel *a, const struct rp_kernel *b)
{
    uint32_t count, other_count;
    const struct rp_kernel_binding *bindings = rp_kernel_bindings(a, &count);
    const struct rp_kernel_binding *others = rp_kernel_bindings(b, &other_count);
    return count == other_count && memcmp(bindings, others, count * sizeof(bindings[0])) == 0;
}

static struct rp_kernel *
compile(const struct rp_variants *v)
{
    const struct rp_uniform_values values = {v->asked_watch.words, v->asked_values,
                                             v->asked_watch.word_count};
    const struct rp_kernel_info info = {
        .shader = v->shader,
        .entry_point = v->entry_point,
        .specialization = &v->specialization,
        .cpu_flags = v->cpu_flags,
        .subgroup_size = rp_kernel_subgroup_size(v->kernel),
        .wants_exact_bounds = v->wants_exact_bounds,
        .uniforms = &values,
    };
    struct rp_kernel *kernel = NULL;
    if (rp_kernel_create(&info, NULL, &kernel) != VK_SUCCESS)
        return NULL;
    if (bindings_agree(kernel, v->kernel))
        return kernel;
    rp_kernel_destroy(kernel);
    return NULL;
}

static struct slot *
slot_of(struct rp_variants *v, uint32_t serial)
{
    for (uint32_t i = 0; i < RP_MAX_VARIANTS; i++)
        if (v->slots[i].state != SLOT_FREE && v->slots[i].serial == serial)
            return &v->slots[i];
    return NULL;
}

static void
forget_all(struct rp_variants *v)
{
    for (uint32_t i = 0; i < RP_MAX_VARIANTS; i++)
        slot_empty(v, &v->slots[i]);
    atomic_store_explicit(&v->is_active, false, memory_order_relaxed);
}

static bool
has_variants(const struct rp_variants *v)
{
    for (uint32_t i = 0; i < RP_MAX_VARIANTS; i++)
        if (v->slots[i].kernel)
            return true;
    return false;
}

/* For good. */
static void
leave_alone(struct rp_variants *v)
{
    forget_all(v);
    v->watch.word_count = 0;
    v->watch.block_count = 0;
    atomic_store_explicit(&v->countdown, UINT32_MAX, memory_order_relaxed);
}

static void
slot_reject(struct rp_variants *v, struct slot *slot)
{
    slot_empty(v, slot);
    slot->state = SLOT_REJECTED;
    v->failed_count++;
    v->statistics.dropped_count++;
    if (has_variants(v))
        return;
    atomic_store_explicit(&v->is_active, false, memory_order_relaxed);
    if (v->failed_count >= MAX_FAILED)
        leave_alone(v);
}

/* Takes the kernel, which may be NULL. */
static void
compiled(struct rp_variants *v, struct rp_kernel *kernel, uint64_t compile_ns)
{
    struct slot *slot = slot_of(v, v->asked_serial);
    const size_t kernel_B = kernel ? rp_kernel_save(kernel, NULL) : 0;
    v->compile_ns = compile_ns;
    v->statistics.compiled_count++;
    if (kernel && slot && rp_specializer_take_memory(v->specializer, kernel_B)) {
        slot->state = SLOT_TRIED;
        slot->kernel = kernel;
        slot->kernel_B = kernel_B;
        slot->next_rest = MIN_REST;
        v->miss_count = 0;
        atomic_store_explicit(&v->is_active, true, memory_order_relaxed);
        return;
    }
    rp_kernel_destroy(kernel);
    if (slot)
        slot_reject(v, slot);
}

static void
task_run(struct rp_specializer_task *task, bool is_wanted)
{
    struct rp_variants *v = (struct rp_variants *)task;
    if (is_wanted && atomic_load(&v->owner_count) > 1) {
        const uint64_t begin_ns = rp_clock_thread_cpu_ns();
        struct rp_kernel *kernel = compile(v);
        const uint64_t compile_ns = rp_clock_thread_cpu_ns() - begin_ns;
        pthread_mutex_lock(&v->mutex);
        v->is_asked = false;
        compiled(v, kernel, compile_ns);
        pthread_mutex_unlock(&v->mutex);
    }
    rp_variants_destroy(v);
}

static void
ask(struct rp_variants *v, struct slot *slot)
{
    if (v->is_asked)
        return;
    v->asked_serial = slot->serial;
    v->asked_watch = v->watch;
    memcpy(v->asked_values, slot->values, sizeof(v->asked_values));
    v->task.run = task_run;
    atomic_fetch_add(&v->owner_count, 1);
    v->is_asked = rp_specializer_try_submit(v->specializer, &v->task);
    if (v->is_asked)
        slot->state = SLOT_ASKED;
    else
        atomic_fetch_sub(&v->owner_count, 1); /* the pipeline is one still */
}

/* Looking at dispatches. */

static void
set_countdown(struct rp_variants *v)
{
    v->random = v->random * 1664525u + 1013904223u;
    const uint32_t count = v->stride / 2 + (v->random >> 8) % (v->stride + 1);
    atomic_store_explicit(&v->countdown, count, memory_order_relaxed);
}

static struct slot *
slot_find(struct rp_variants *v, const uint32_t *values)
{
    for (uint32_t i = 0; i < RP_MAX_VARIANTS; i++)
        if (v->slots[i].state != SLOT_FREE &&
            memcmp(v->slots[i].values, values, v->watch.word_count * sizeof(*values)) == 0)
            return &v->slots[i];
    return NULL;
}

static struct slot *
slot_latest(struct rp_variants *v)
{
    struct slot *latest = NULL;
    for (uint32_t i = 0; i < RP_MAX_VARIANTS; i++)
        if (v->slots[i].state != SLOT_FREE && (!latest || v->slots[i].used_at > latest->used_at))
            latest = &v->slots[i];
    return latest;
}

/* Values that no look has found: which words have changed? True: some are forgotten now. */
static bool
count_changes(struct rp_variants *v, const uint32_t *values)
{
    const struct slot *latest = slot_latest(v);
    bool are_forgotten[RP_MAX_UNIFORM_WORDS] = {false}, has_any = false;
    for (uint32_t i = 0; latest && i < v->watch.word_count; i++) {
        if (latest->values[i] != values[i] && ++v->change_counts[i] == MAX_CHANGES)
            are_forgotten[i] = has_any = true;
    }
    if (!has_any)
        return false;
    forget_all(v);
    rp_watch_forget(&v->watch, are_forgotten);
    memset(v->change_counts, 0, sizeof(v->change_counts));
    if (!v->watch.word_count)
        leave_alone(v);
    return true;
}

/* For new values, in the place of those that came least lately. */
static struct slot *
slot_take(struct rp_variants *v, const uint32_t *values)
{
    struct slot *slot = NULL;
    for (uint32_t i = 0; i < RP_MAX_VARIANTS; i++) {
        struct slot *s = &v->slots[i];
        if (s->state == SLOT_ASKED)
            continue;
        if (!slot || s->state == SLOT_FREE ||
            (slot->state != SLOT_FREE && s->used_at < slot->used_at))
            slot = s;
    }
    if (slot->kernel && !slot->is_kept)
        v->failed_count++;
    slot_empty(v, slot);
    *slot = (struct slot){.state = SLOT_SEEN, .serial = v->next_serial++};
    memcpy(slot->values, values, v->watch.word_count * sizeof(*values));
    return slot;
}

static bool
by_variant(struct rp_variants *v, const struct slot *slot, struct rp_pick *out)
{
    v->statistics.run_count++;
    out->kernel = rp_kernel_ref(slot->kernel);
    return true;
}

/* What becomes of a dispatch with a slot's values. */
static bool
slot_pick(struct rp_variants *v, struct slot *slot, const struct rp_dispatch *dispatch,
          bool is_look, struct rp_pick *out)
{
    bool with_variant = false;
    switch (slot->state) {
    case SLOT_SEEN:
        slot->seen_count += is_look;
        return out->is_measured = is_look;
    case SLOT_KEPT:
        if (--slot->rest)
            return by_variant(v, slot, out);
        slot->state = SLOT_TRIED;
        slot->trial = (struct rp_trial){0};
        return by_variant(v, slot, out);
    case SLOT_TRIED:
        out->is_measured = rp_trial_take(&slot->trial, dispatch->group_count, &with_variant);
        if (out->is_measured ? with_variant : slot->is_kept)
            return by_variant(v, slot, out);
        return out->is_measured;
    case SLOT_FREE:
    case SLOT_ASKED:
    case SLOT_REJECTED:
        return false;
    }
    return false;
}

/* The variants rest when other values come all the time, until a look finds theirs. */
static void
note_miss(struct rp_variants *v)
{
    if (++v->miss_count >= MISSES)
        atomic_store_explicit(&v->is_active, false, memory_order_relaxed);
}

static void
note_hit(struct rp_variants *v, const struct slot *slot, bool is_look)
{
    v->miss_count = 0;
    if (is_look)
        memset(v->change_counts, 0, sizeof(v->change_counts));
    if (slot->kernel)
        atomic_store_explicit(&v->is_active, true, memory_order_relaxed);
}

/* With the mutex held. */
static bool
pick(struct rp_variants *v, const struct rp_dispatch *dispatch, bool is_look, struct rp_pick *out)
{
    uint32_t values[RP_MAX_UNIFORM_WORDS];
    if (is_look) {
        set_countdown(v);
        v->statistics.look_count++;
    }
    if (!v->watch.word_count || !rp_watch_read(&v->watch, dispatch, values)) {
        note_miss(v);
        return false;
    }
    v->now++;
    struct slot *slot = slot_find(v, values);
    if (slot) {
        note_hit(v, slot, is_look);
    } else {
        note_miss(v);
        if (!is_look || count_changes(v, values))
            return false;
        slot = slot_take(v, values);
    }
    slot->used_at = v->now;
    out->serial = slot->serial;
    return slot_pick(v, slot, dispatch, is_look, out);
}

bool
rp_variants_pick(struct rp_variants *v, const struct rp_dispatch *dispatch, struct rp_pick *out)
{
    const uint32_t left = atomic_load_explicit(&v->countdown, memory_order_relaxed);
    if (left > 1) {
        atomic_store_explicit(&v->countdown, left - 1, memory_order_relaxed);
        if (!atomic_load_explicit(&v->is_active, memory_order_relaxed))
            return false;
    }
    if (pthread_mutex_trylock(&v->mutex) != 0)
        return false;
    out->variants = v;
    out->kernel = NULL;
    out->is_measured = false;
    atomic_init(&out->cpu_ns, 0);
    const bool is_picked = pick(v, dispatch, left <= 1, out);
    pthread_mutex_unlock(&v->mutex);
    return is_picked;
}

/* What a dispatch has taken. */

static void
note_work(struct rp_variants *v, struct slot *slot, uint64_t ns)
{
    const uint32_t doublings = v->failed_count < MAX_FAILED ? v->failed_count : MAX_FAILED;
    v->stride = ns * MAX_STRIDE < LOOK_NS ? MAX_STRIDE : (uint32_t)(LOOK_NS / ns) + (ns > LOOK_NS);
    slot->work_ns += ns > LOOK_NS ? ns : LOOK_NS;
    if (slot->seen_count >= MIN_SEEN && slot->work_ns >= WORTH * v->compile_ns << doublings)
        ask(v, slot);
}

static void
slot_keep(struct rp_variants *v, struct slot *slot)
{
    v->statistics.kept_count += !slot->is_kept;
    slot->is_kept = true;
    slot->state = SLOT_KEPT;
    slot->rest = slot->next_rest;
    if (slot->next_rest < MAX_REST)
        slot->next_rest *= 2;
}

static void
note_trial(struct rp_variants *v, struct slot *slot, bool with_variant, uint64_t ns)
{
    const enum rp_verdict verdict =
        rp_trial_add(&slot->trial, with_variant, ns + (with_variant ? PICK_NS : 0));
    if (verdict == RP_VERDICT_NONE)
        return;
    slot->trial = (struct rp_trial){0};
    if (verdict == RP_VERDICT_FASTER)
        slot->win_count++;
    if (verdict == RP_VERDICT_CLEARLY_FASTER)
        slot->win_count = WINS;
    if (verdict == RP_VERDICT_SLOWER || (verdict == RP_VERDICT_SAME && !slot->is_kept))
        slot_reject(v, slot);
    else if (slot->is_kept || slot->win_count == WINS)
        slot_keep(v, slot);
}

void
rp_pick_end(struct rp_pick *pick, bool is_done)
{
    struct rp_variants *v = pick->variants;
    const uint64_t ns = atomic_load_explicit(&pick->cpu_ns, memory_order_relaxed);
    if (is_done && pick->is_measured && ns && pthread_mutex_trylock(&v->mutex) == 0) {
        struct slot *slot = slot_of(v, pick->serial);
        if (slot && slot->state == SLOT_SEEN)
            note_work(v, slot, ns);
        else if (slot && slot->state == SLOT_TRIED)
            note_trial(v, slot, pick->kernel != NULL, ns);
        pthread_mutex_unlock(&v->mutex);
    }
    rp_kernel_destroy(pick->kernel);
}
