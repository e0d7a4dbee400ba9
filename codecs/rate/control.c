/* SPDX-License-Identifier: MIT */
#include "control.h"

#include "retry.h"

#include "util/compiler.h"

#include <limits.h>
#include <math.h>

#define AIM 0.94        /* of the most that a picture may take */
#define AIM_LOW 0.8     /* of what was aimed at: the first picture is coded again below it, ... */
#define AIM_HIGH 1.1    /* ... and any above that, */
#define AIM_HIGH_S 0.02 /* or, of seconds of the rate, what is more */
#define AIM_LIMIT 0.95  /* of a limit that was broken */
#define MOST_ATTEMPTS 6
#define MOST_FIRST_AIMS 4 /* attempts at the first picture, of which nothing is known */
#define MOST_FINER 2      /* attempts at others after which they may be coded finer */
#define COARSER_POWER 0.9 /* sizes change more than steps do; ... */
#define FINER_POWER 0.5   /* ... still content may all be coded once more at a finer one */
#define LEAST_POWER 0.3   /* of those that attempts show */
#define MOST_POWER 1.5
#define COST_WEIGHT 0.3 /* of the newest picture's cost */

/* Streams end with something owed more often than with something saved. */
#define CBR_PART 0.995 /* of the rate: what the law of a constant one gets */

/* A second of a constant rate may have a fifth more than the rate. No picture has less than some
 * twenty bytes: there is room for a few of those. */
#define SECOND_MOST 1.19   /* times its rate: beyond it pictures are coded again */
#define SECOND_AIM 1.17    /* times its rate: what pictures are planned for */
#define SECOND_LATER 0.85  /* part of its time that is left to each of the pictures after it */
#define SECOND_LEAST 0.3   /* part of its time that any picture is planned for */
#define SECOND_LEAST_FPS 8 /* pictures a second: fewer are no mean */

static double
step_of(const struct rp_rate_plan *plan, int index)
{
    return plan->control->encoder->step(index, plan->bit_depth);
}

/* The index whose step is nearest. */
static int
index_of_step(const struct rp_rate_plan *plan, double step)
{
    int low = plan->control->encoder->scale.least_index;
    int high = plan->control->encoder->scale.greatest_index;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (step_of(plan, middle) * step_of(plan, middle + 1) < step * step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void
rp_rate_control_set(struct rp_rate_control *control, const struct rp_rate_settings *settings)
{
    if (control->next.version > 0 && rp_rate_settings_are_equal(&control->next.settings, settings))
        return;
    control->next.settings = *settings;
    control->next.version++;
}

/* What a second had at another rate says nothing of the next ones. */
static void
stream_set(struct rp_rate_control *control, const struct rp_rate_snapshot *snapshot)
{
    const struct rp_rate_settings *settings = &snapshot->settings;
    double bps = 0, fps = 0;

    for (uint32_t i = 0; i < settings->layer_count; i++) {
        struct rp_rate_target target;
        rp_rate_target_init(&target, settings, i, &control->encoder->scale);
        bps += target.average_bps;
        fps += rp_rate_target_fps(&target);
    }
    if (bps != control->stream_bps || fps != control->stream_fps)
        control->second.count = 0;
    control->stream_bps = bps;
    control->stream_fps = fps;
    rp_rate_settings_set_buffer(settings, &control->encoder->scale, &control->buffer);
    control->buffer_version = snapshot->version;
}

/* Keeps what was learned of the content. */
static void
layer_set(const struct rp_rate_control *control, struct rp_rate_control_layer *layer,
          const struct rp_rate_target *target, int block_count)
{
    const double buffer_bits = control->buffer.size_bits;
    const bool is_first = layer->version == 0;
    const double change = is_first ? 1 : target->average_bps / layer->target.average_bps;

    layer->target = *target;
    rp_rate_law_set(&layer->law, &(struct rp_rate_aim){
                                     .mode = target->is_cbr ? RP_RATE_CBR : RP_RATE_VBR,
                                     .bps = target->average_bps * (target->is_cbr ? CBR_PART : 1),
                                     .picture_s = 1 / rp_rate_target_fps(target),
                                     .slack = target->slack,
                                     .buffer_s = buffer_bits / target->average_bps,
                                     .block_count = block_count,
                                 });
    if (is_first)
        rp_rate_law_init(&layer->law, &control->encoder->scale,
                         (int)RP_MIN(target->gop_pictures, 100000),
                         (int)RP_MIN(target->b_pictures, 15));
    else
        rp_rate_law_forget(&layer->law, change);
}

static struct rp_rate_control_layer *
layer_for(struct rp_rate_control *control, const struct rp_rate_snapshot *snapshot,
          const struct rp_rate_question *question)
{
    const uint32_t count = RP_MAX(1, snapshot->settings.layer_count);
    const uint32_t index = RP_MIN(question->temporal_layer, count - 1);
    struct rp_rate_control_layer *layer = &control->layer[index];

    if (control->buffer_version != snapshot->version)
        stream_set(control, snapshot);
    if (layer->version != snapshot->version) {
        struct rp_rate_target target;
        rp_rate_target_init(&target, &snapshot->settings, index, &control->encoder->scale);
        layer_set(control, layer, &target, question->block_count);
        layer->version = snapshot->version;
    }
    return layer;
}

static uint32_t
second_pictures(const struct rp_rate_control *control)
{
    return (uint32_t)fmin(ceil(control->stream_fps), RP_RATE_PAST);
}

/* What seconds that end with the next picture, or with one of those after it, leave to it, when
 * they may have so many times their rate; later: bits that each of those after it is to have, or
 * less than 0: the second that ends with this one counts alone. */
static double
second_left(const struct rp_rate_control *control, double most, double later)
{
    const struct rp_rate_second *second = &control->second;
    const uint32_t count = second_pictures(control);
    double left = most * control->stream_bps * count / control->stream_fps;

    for (uint32_t i = 1; i < count && i <= second->count; i++)
        left -= (double)second->bits[(second->count - i) % RP_RATE_PAST];
    double least = left;
    for (uint32_t i = count - 1; i > 0 && later >= 0; i--) {
        if (i <= second->count)
            left += (double)second->bits[(second->count - i) % RP_RATE_PAST];
        left -= later;
        least = fmin(least, left);
    }
    return least;
}

static bool
has_seconds(const struct rp_rate_plan *plan)
{
    return plan->layer->target.is_cbr && plan->control->stream_fps >= SECOND_LEAST_FPS;
}

/* The most bits that the picture should take by seconds; without them any number. */
static double
second_most(const struct rp_rate_plan *plan)
{
    const struct rp_rate_control *control = plan->control;
    const double picture_bits = control->stream_bps / control->stream_fps;

    if (!has_seconds(plan))
        return INFINITY;
    return fmax(SECOND_LEAST * picture_bits,
                second_left(control, SECOND_AIM, SECOND_LATER * picture_bits));
}

/* The most bits that it may have. */
static double
limit_of(const struct rp_rate_plan *plan)
{
    const double own = plan->own_limit_bits;
    double most = plan->control->buffer.fill_bits;

    if (own > 0)
        most = fmin(most, own);
    if (has_seconds(plan))
        most = fmin(most, second_left(plan->control, SECOND_MOST, -1));
    return fmax(most, 1);
}

/* The most bits that it should take. */
static double
most_of(const struct rp_rate_plan *plan)
{
    const struct rp_rate_control_layer *layer = plan->layer;
    const double own = plan->own_limit_bits;
    const double fill = plan->control->buffer.fill_bits;
    double most = fmin(rp_rate_law_most(&layer->law, &plan->picture), 0.9 * fill);

    most = fmin(most, second_most(plan));
    if (own > 0)
        most = fmin(most, AIM_LIMIT * own);
    return fmax(most - plan->preceding_bits, 1);
}

static bool
is_first(const struct rp_rate_plan *plan)
{
    return plan->layer->law.picture_count == 0;
}

/* What an I picture should take, or the first one; P pictures of one quantiser at a constant rate
 * not more than windows leave. */
static double
aim_of(const struct rp_rate_plan *plan, double most)
{
    const struct rp_rate_law_ops *law = rp_rate_law_chosen(&plan->layer->law);
    const bool is_aimed = law->sees_windows || (is_first(plan) && law->has_one_quantiser);

    if (plan->picture.type == RP_RATE_I || is_first(plan))
        return is_aimed ? AIM * most : 0;
    return plan->picture.type == RP_RATE_P && law->sees_windows && law->has_one_quantiser ? most
                                                                                          : 0;
}

/* The base that the law asks for. B pictures that follow their references have theirs. */
static double
choose_base(struct rp_rate_plan *plan, double reference_base, double most)
{
    struct rp_rate_law *law = &plan->layer->law;
    const double cost = plan->picture.expected_cost;
    if (is_first(plan))
        return cost / (AIM * most);

    const bool is_follower =
        plan->picture.type == RP_RATE_B && rp_rate_law_b_follows(law) && reference_base > 0;
    const double base = is_follower ? reference_base : rp_rate_law_base(law, &plan->picture);
    const double predicted = cost / base;
    const double least = rp_rate_law_least(law);
    const double meant = rp_rate_law_chosen(law)->sees_windows ? AIM * most : most;

    plan->picture.wanted_bits = fmin(predicted, most);
    if (predicted > meant)
        return base * predicted / meant;
    if (predicted < least && predicted > 0 && !is_follower)
        return base * fmax(0.5, predicted / fmin(least, most));
    return base;
}

static int
clip_index(const struct rp_rate_plan *plan, int index)
{
    return RP_MAX(plan->least_index, RP_MIN(index, plan->greatest_index));
}

static void
set_bounds(struct rp_rate_plan *plan, enum rp_rate_type limited)
{
    const struct rp_rate_target *target = &plan->layer->target;
    const int least = plan->control->encoder->least_unasked_index;

    plan->own_limit_bits = target->max_picture_bits[limited];
    plan->greatest_index = target->max_index[limited];
    plan->least_index = RP_MIN(RP_MAX(target->min_index[limited], least), plan->greatest_index);
}

void
rp_rate_control_plan(struct rp_rate_control *control, const struct rp_rate_snapshot *snapshot,
                     const struct rp_rate_question *question, struct rp_rate_plan *out)
{
    struct rp_rate_control_layer *layer = layer_for(control, snapshot, question);
    const enum rp_rate_type type = question->type;
    const double bps = layer->target.average_bps;
    const double cost =
        layer->cost[type] > 0 ? layer->cost[type] : control->encoder->usual_cost[type];
    const double preceding_bits = 8.0 * (double)question->preceding_B;
    const double fill_bits = fmax(control->buffer.fill_bits - preceding_bits, 1);

    *out = (struct rp_rate_plan){
        .control = control,
        .layer = layer,
        .picture = {.type = type,
                    .complexity = question->complexity,
                    .expected_cost = cost * question->complexity,
                    .fill_s = fill_bits / bps,
                    .room_s = fmax(0, control->buffer.size_bits - fill_bits) / bps,
                    .fastest = layer->target.max_bps / bps},
        .bit_depth = question->bit_depth,
        .preceding_bits = preceding_bits,
        .fitting_index = -1,
    };
    set_bounds(out, question->limited);
    const double most = most_of(out);
    out->limit_bits = limit_of(out);
    out->aim_bits = aim_of(out, most);
    const double base = choose_base(out, question->reference_base, most);
    out->index = clip_index(out, index_of_step(out, base * control->encoder->step_factor[type]));
}

/* What the picture is to be coded again for; 0: it is good as it is. */
static double
wanted_bits(const struct rp_rate_plan *plan, double bits)
{
    const struct rp_rate_law *law = &plan->layer->law;
    const double aim = plan->aim_bits;
    const double high = fmax(AIM_HIGH * aim, aim + AIM_HIGH_S * plan->layer->target.average_bps);
    const int most_aims = is_first(plan) ? MOST_FIRST_AIMS : 1;
    struct rp_rate_retry retry;

    if (bits > plan->limit_bits)
        return AIM_LIMIT * plan->limit_bits;
    if (plan->was_over)
        return 0;
    if (aim > 0 && plan->attempt_count <= most_aims &&
        (bits > high || (is_first(plan) && bits < AIM_LOW * aim)))
        return aim;
    if (!rp_rate_retry_is_due(law, plan->picture.type, bits, &retry))
        return 0;
    return retry.bits < bits || plan->attempt_count <= MOST_FINER ? retry.bits : 0;
}

/* How steps change with sizes: as the last two attempts show. */
static double
power_of(const struct rp_rate_plan *plan, double step, double bits, double wanted)
{
    const double steps = plan->last_step > 0 ? log(step / plan->last_step) : 0;
    const double sizes = plan->last_bits > 0 ? log(plan->last_bits / bits) : 0;

    if (steps * sizes > 0)
        return fmax(LEAST_POWER, fmin(steps / sizes, MOST_POWER));
    return wanted < bits || is_first(plan) ? COARSER_POWER : FINER_POWER;
}

static void
note_attempt(struct rp_rate_plan *plan, double bits)
{
    plan->attempt_count++;
    if (bits > plan->limit_bits)
        plan->was_over = true;
    else if (plan->fitting_index < 0 || plan->index < plan->fitting_index)
        plan->fitting_index = plan->index;
}

/* The last attempt keeps to the limit, if any can. */
static int
next_index(const struct rp_rate_plan *plan, double step, double bits, double wanted)
{
    const int fitting = plan->fitting_index >= 0 ? plan->fitting_index
                                                 : plan->control->encoder->scale.greatest_index;
    const double power = power_of(plan, step, bits, wanted);
    const int aimed = index_of_step(plan, step * pow(bits / wanted, power));

    if (wanted > bits)
        return RP_MIN(aimed, plan->index - 1);
    if (plan->was_over && plan->attempt_count + 1 == MOST_ATTEMPTS)
        return fitting;
    return RP_MIN(RP_MAX(aimed, plan->index + 1), plan->was_over ? fitting : INT_MAX);
}

bool
rp_rate_plan_is_again(struct rp_rate_plan *plan, size_t size_B)
{
    const double bits = 8.0 * (double)size_B + plan->preceding_bits;
    const double step = step_of(plan, plan->index);
    const int before = plan->index;

    note_attempt(plan, bits);
    const double wanted = wanted_bits(plan, bits);
    if (wanted <= 0 || plan->attempt_count >= MOST_ATTEMPTS)
        return false;
    plan->index = clip_index(plan, next_index(plan, step, bits, wanted));
    plan->last_step = step;
    plan->last_bits = bits;
    return plan->index != before;
}

double
rp_rate_plan_end(struct rp_rate_plan *plan, size_t size_B)
{
    const double bits = 8.0 * (double)size_B + plan->preceding_bits;
    const double step = step_of(plan, plan->index);
    const double base = step / plan->control->encoder->step_factor[plan->picture.type];
    struct rp_rate_second *second = &plan->control->second;
    double *cost = &plan->layer->cost[plan->picture.type];
    const double seen = bits * base / fmax(plan->picture.complexity, 1);

    rp_rate_virtual_buffer_take(&plan->control->buffer, bits, 0);
    rp_rate_law_add(&plan->layer->law, &plan->picture, base, bits);
    *cost = *cost > 0 ? *cost + COST_WEIGHT * (seen - *cost) : seen;
    second->bits[second->count % RP_RATE_PAST] = (float)bits;
    second->count++;
    return base;
}
