/* SPDX-License-Identifier: MIT */
#include "codecs/aom/rate.h"

#include "codecs/aom/libaom.h"
#include "codecs/rate/retry.h"

#include "util/alloc.h"
#include "util/compiler.h"

#include <limits.h>
#include <math.h>

/* Steps have the unit of x264's qscales, for which the laws' constants were measured: pictures lose
 * about as much with the same one. */
#define STEP_UNIT 0.0425 /* of the quantiser step of AC coefficients at 8 bits */

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

static const struct rp_rate_scale scale = {
    .least_index = 0,
    .greatest_index = RP_AV1_MAX_Q_INDEX,
    .unlimited_index = RP_AV1_MAX_Q_INDEX,
    .default_step = 1,
    .least_step = 0.17,
    .finest_step = 0.35, /* that of q index 1, about */
    .usual_block_cost = 60,
};

/* Of a picture's step over that of P pictures. */
static const double step_factors[RP_RATE_TYPES] = {
    [RP_RATE_P] = 1, [RP_RATE_B] = 1.3, [RP_RATE_I] = 1 / 1.4};

/* Bits at base 1 for each unit of complexity, before any picture of the type was coded. */
static const double usual_costs[RP_RATE_TYPES] = {
    [RP_RATE_P] = 1, [RP_RATE_B] = 0.6, [RP_RATE_I] = 2};

double
rp_aom_rate_step(int q_index, uint32_t bit_depth)
{
    const double step = bit_depth == 10 ? av1_ac_quant_QTX(q_index, 0, AOM_BITS_10) / 4.0
                                        : av1_ac_quant_QTX(q_index, 0, AOM_BITS_8);
    return STEP_UNIT * step;
}

/* The q index whose step is nearest. */
static int
index_of_step(double step, uint32_t bit_depth)
{
    int low = 0, high = RP_AV1_MAX_Q_INDEX;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (rp_aom_rate_step(middle, bit_depth) * rp_aom_rate_step(middle + 1, bit_depth) <
            step * step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct rp_encoder_rate *
rp_aom_rate_create(void)
{
    return rp_zalloc(NULL, sizeof(struct rp_encoder_rate), _Alignof(struct rp_encoder_rate),
                     VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
}

void
rp_aom_rate_destroy(struct rp_encoder_rate *rate)
{
    rp_free(NULL, rate);
}

void
rp_aom_rate_set(struct rp_encoder_rate *rate, const struct rp_rate_settings *settings)
{
    if (rate->next.version > 0 && rp_rate_settings_are_equal(&rate->next.settings, settings))
        return;
    rate->next.settings = *settings;
    rate->next.version++;
}

/* What a second had at another rate says nothing of the next ones. */
static void
stream_set(struct rp_encoder_rate *rate, const struct rp_aom_rate_snapshot *snapshot)
{
    const struct rp_rate_settings *settings = &snapshot->settings;
    double bps = 0, fps = 0;

    for (uint32_t i = 0; i < settings->layer_count; i++) {
        struct rp_rate_target target;
        rp_rate_target_init(&target, settings, i, &scale);
        bps += target.average_bps;
        fps += rp_rate_target_fps(&target);
    }
    if (bps != rate->stream_bps || fps != rate->stream_fps)
        rate->second.count = 0;
    rate->stream_bps = bps;
    rate->stream_fps = fps;
    rp_rate_settings_set_buffer(settings, &scale, &rate->buffer);
    rate->buffer_version = snapshot->version;
}

/* Keeps what was learned of the content. */
static void
layer_set(struct rp_aom_rate_layer *layer, const struct rp_rate_target *target, double buffer_bits,
          int block_count)
{
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
        rp_rate_law_init(&layer->law, &scale, (int)RP_MIN(target->gop_pictures, 100000),
                         (int)RP_MIN(target->b_pictures, 15));
    else
        rp_rate_law_forget(&layer->law, change);
}

static struct rp_aom_rate_layer *
layer_for(struct rp_encoder_rate *rate, const struct rp_aom_rate_snapshot *snapshot,
          const struct rp_aom_rate_question *question)
{
    const uint32_t count = RP_MAX(1, snapshot->settings.layer_count);
    const uint32_t index = RP_MIN(question->temporal_layer, count - 1);
    struct rp_aom_rate_layer *layer = &rate->layer[index];

    if (rate->buffer_version != snapshot->version)
        stream_set(rate, snapshot);
    if (layer->version != snapshot->version) {
        struct rp_rate_target target;
        rp_rate_target_init(&target, &snapshot->settings, index, &scale);
        layer_set(layer, &target, rate->buffer.size_bits, question->block_count);
        layer->version = snapshot->version;
    }
    return layer;
}

static uint32_t
second_pictures(const struct rp_encoder_rate *rate)
{
    return (uint32_t)fmin(ceil(rate->stream_fps), RP_RATE_PAST);
}

/* What seconds that end with the next picture, or with one of those after it, leave to it, when they
 * may have so many times their rate; later: bits that each of those after it is to have, or less
 * than 0: the second that ends with this one counts alone. */
static double
second_left(const struct rp_encoder_rate *rate, double most, double later)
{
    const struct rp_aom_rate_second *second = &rate->second;
    const uint32_t count = second_pictures(rate);
    double left = most * rate->stream_bps * count / rate->stream_fps;

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
has_seconds(const struct rp_aom_rate_picture *picture)
{
    return picture->layer->target.is_cbr && picture->rate->stream_fps >= SECOND_LEAST_FPS;
}

/* The most bits that the picture should take by seconds; without them any number. */
static double
second_most(const struct rp_aom_rate_picture *picture)
{
    const struct rp_encoder_rate *rate = picture->rate;
    const double picture_bits = rate->stream_bps / rate->stream_fps;

    if (!has_seconds(picture))
        return INFINITY;
    return fmax(SECOND_LEAST * picture_bits,
                second_left(rate, SECOND_AIM, SECOND_LATER * picture_bits));
}

/* The most bits that it may have. */
static double
limit_of(const struct rp_aom_rate_picture *picture)
{
    const double own = picture->layer->target.max_picture_bits[picture->now.type];
    double most = picture->rate->buffer.fill_bits;

    if (own > 0)
        most = fmin(most, own);
    if (has_seconds(picture))
        most = fmin(most, second_left(picture->rate, SECOND_MOST, -1));
    return fmax(most, 1);
}

/* The most bits that it should take. */
static double
most_of(const struct rp_aom_rate_picture *picture)
{
    const struct rp_aom_rate_layer *layer = picture->layer;
    const double own = layer->target.max_picture_bits[picture->now.type];
    const double fill = picture->rate->buffer.fill_bits;
    double most = fmin(rp_rate_law_most(&layer->law, &picture->now), 0.9 * fill);

    most = fmin(most, second_most(picture));
    if (own > 0)
        most = fmin(most, AIM_LIMIT * own);
    return fmax(most - picture->preceding_bits, 1);
}

static bool
is_first(const struct rp_aom_rate_picture *picture)
{
    return picture->layer->law.picture_count == 0;
}

/* What an I picture should take, or the first one; P pictures of one quantiser at a constant rate
 * not more than windows leave. */
static double
aim_of(const struct rp_aom_rate_picture *picture, double most)
{
    const struct rp_rate_law_ops *law = rp_rate_law_chosen(&picture->layer->law);
    const bool is_aimed = law->sees_windows || (is_first(picture) && law->has_one_quantiser);

    if (picture->now.type == RP_RATE_I || is_first(picture))
        return is_aimed ? AIM * most : 0;
    return picture->now.type == RP_RATE_P && law->sees_windows && law->has_one_quantiser ? most : 0;
}

/* The base that the law asks for. B pictures that follow their references have theirs. */
static double
choose_base(struct rp_aom_rate_picture *picture, double reference_base, double most)
{
    struct rp_rate_law *law = &picture->layer->law;
    const double cost = picture->now.expected_cost;
    if (is_first(picture))
        return cost / (AIM * most);

    const bool is_follower =
        picture->now.type == RP_RATE_B && rp_rate_law_b_follows(law) && reference_base > 0;
    const double base = is_follower ? reference_base : rp_rate_law_base(law, &picture->now);
    const double predicted = cost / base;
    const double least = rp_rate_law_least(law);
    const double meant = rp_rate_law_chosen(law)->sees_windows ? AIM * most : most;

    picture->now.wanted_bits = fmin(predicted, most);
    if (predicted > meant)
        return base * predicted / meant;
    if (predicted < least && predicted > 0 && !is_follower)
        return base * fmax(0.5, predicted / fmin(least, most));
    return base;
}

static int
clip_index(const struct rp_aom_rate_picture *picture, int q_index)
{
    return RP_MAX(picture->least_index, RP_MIN(q_index, picture->greatest_index));
}

/* Where the application allows any index, none is without loss. */
static void
set_bounds(struct rp_aom_rate_picture *picture)
{
    const struct rp_rate_target *target = &picture->layer->target;
    const enum rp_rate_type type = picture->now.type;

    picture->greatest_index = target->max_index[type];
    picture->least_index = RP_MIN(RP_MAX(target->min_index[type], 1), picture->greatest_index);
}

void
rp_aom_rate_plan(struct rp_encoder_rate *rate, const struct rp_aom_rate_snapshot *snapshot,
                 const struct rp_aom_rate_question *question, struct rp_aom_rate_picture *out)
{
    struct rp_aom_rate_layer *layer = layer_for(rate, snapshot, question);
    const enum rp_rate_type type = question->type;
    const double bps = layer->target.average_bps;
    const double cost = layer->cost[type] > 0 ? layer->cost[type] : usual_costs[type];
    const double preceding_bits = 8.0 * (double)question->preceding_B;
    const double fill_bits = fmax(rate->buffer.fill_bits - preceding_bits, 1);

    *out = (struct rp_aom_rate_picture){
        .rate = rate,
        .layer = layer,
        .now = {.type = type,
                .complexity = question->complexity,
                .expected_cost = cost * question->complexity,
                .fill_s = fill_bits / bps,
                .room_s = fmax(0, rate->buffer.size_bits - fill_bits) / bps,
                .fastest = layer->target.max_bps / bps},
        .bit_depth = question->bit_depth,
        .preceding_bits = preceding_bits,
        .step_factor = step_factors[type],
        .fitting_index = -1,
    };
    set_bounds(out);
    const double most = most_of(out);
    out->limit_bits = limit_of(out);
    out->aim_bits = aim_of(out, most);
    const double base = choose_base(out, question->reference_base, most);
    out->q_index = clip_index(out, index_of_step(base * out->step_factor, out->bit_depth));
}

/* What the picture is to be coded again for; 0: it is good as it is. */
static double
wanted_bits(const struct rp_aom_rate_picture *picture, double bits)
{
    const struct rp_rate_law *law = &picture->layer->law;
    const double aim = picture->aim_bits;
    const double high = fmax(AIM_HIGH * aim, aim + AIM_HIGH_S * picture->layer->target.average_bps);
    const int most_aims = is_first(picture) ? MOST_FIRST_AIMS : 1;
    struct rp_rate_retry retry;

    if (bits > picture->limit_bits)
        return AIM_LIMIT * picture->limit_bits;
    if (picture->was_over)
        return 0;
    if (aim > 0 && picture->attempt_count <= most_aims &&
        (bits > high || (is_first(picture) && bits < AIM_LOW * aim)))
        return aim;
    if (!rp_rate_retry_is_due(law, picture->now.type, bits, &retry))
        return 0;
    return retry.bits < bits || picture->attempt_count <= MOST_FINER ? retry.bits : 0;
}

/* How steps change with sizes: as the last two attempts show. */
static double
power_of(const struct rp_aom_rate_picture *picture, double step, double bits, double wanted)
{
    const double steps = picture->last_step > 0 ? log(step / picture->last_step) : 0;
    const double sizes = picture->last_bits > 0 ? log(picture->last_bits / bits) : 0;

    if (steps * sizes > 0)
        return fmax(LEAST_POWER, fmin(steps / sizes, MOST_POWER));
    return wanted < bits || is_first(picture) ? COARSER_POWER : FINER_POWER;
}

static void
note_attempt(struct rp_aom_rate_picture *picture, double bits)
{
    picture->attempt_count++;
    if (bits > picture->limit_bits)
        picture->was_over = true;
    else if (picture->fitting_index < 0 || picture->q_index < picture->fitting_index)
        picture->fitting_index = picture->q_index;
}

/* The last attempt keeps to the limit, if any can. */
static int
next_index(const struct rp_aom_rate_picture *picture, double step, double bits, double wanted)
{
    const int fitting = picture->fitting_index >= 0 ? picture->fitting_index : RP_AV1_MAX_Q_INDEX;
    const double power = power_of(picture, step, bits, wanted);
    const int aimed = index_of_step(step * pow(bits / wanted, power), picture->bit_depth);

    if (wanted > bits)
        return RP_MIN(aimed, picture->q_index - 1);
    if (picture->was_over && picture->attempt_count + 1 == MOST_ATTEMPTS)
        return fitting;
    return RP_MIN(RP_MAX(aimed, picture->q_index + 1), picture->was_over ? fitting : INT_MAX);
}

bool
rp_aom_rate_is_again(struct rp_aom_rate_picture *picture, size_t size_B)
{
    const double bits = 8.0 * (double)size_B + picture->preceding_bits;
    const double step = rp_aom_rate_step(picture->q_index, picture->bit_depth);
    const int before = picture->q_index;

    note_attempt(picture, bits);
    const double wanted = wanted_bits(picture, bits);
    if (wanted <= 0 || picture->attempt_count >= MOST_ATTEMPTS)
        return false;
    picture->q_index = clip_index(picture, next_index(picture, step, bits, wanted));
    picture->last_step = step;
    picture->last_bits = bits;
    return picture->q_index != before;
}

double
rp_aom_rate_end(struct rp_aom_rate_picture *picture, size_t size_B)
{
    const double bits = 8.0 * (double)size_B + picture->preceding_bits;
    const double step = rp_aom_rate_step(picture->q_index, picture->bit_depth);
    const double base = step / picture->step_factor;
    struct rp_aom_rate_second *second = &picture->rate->second;
    double *cost = &picture->layer->cost[picture->now.type];
    const double seen = bits * base / fmax(picture->now.complexity, 1);

    rp_rate_virtual_buffer_take(&picture->rate->buffer, bits, 0);
    rp_rate_law_add(&picture->layer->law, &picture->now, base, bits);
    *cost = *cost > 0 ? *cost + COST_WEIGHT * (seen - *cost) : seen;
    second->bits[second->count % RP_RATE_PAST] = (float)bits;
    second->count++;
    return base;
}
