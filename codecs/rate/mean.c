/* SPDX-License-Identifier: MIT */
/* A quantiser from the mean of the costs so far, what is owed, and what the buffer holds.
 */
#include "mean.h"

#include "constants.h"
#include "content.h"
#include "numbers.h"

static const struct rp_rate_mean_constants *
constants_of(const struct rp_rate_law *law)
{
    return &rp_rate_mean_constants[law->aim.mode];
}

static double
most_slope(const struct rp_rate_law *law)
{
    return 1 / law->scale->least_step;
}

static double
intra_share(const struct rp_rate_law *law)
{
    return 1.0 / fmax(1, fmax(law->intra_period, law->since_intra));
}

/* Cost of pictures of the type. Streams often begin with black, which costs nothing: what fades in
 * is not to find a quantiser for that, and the rate spent. */
static double
type_cost(const struct rp_rate_law *law, const struct rp_rate_picture *picture,
          enum rp_rate_type type)
{
    const double usual_s = constants_of(law)->usual_s;
    const double past_s = law->picture_count * law->aim.picture_s;
    const bool is_first = law->mean.cost[type] <= 0 && type == picture->type;
    const double cost = is_first ? picture->expected_cost : law->mean.cost[type];
    const double usual = law->scale->usual_block_cost * law->aim.block_count;

    if (cost <= 0 || type == RP_RATE_I || usual_s <= 0)
        return cost;
    return cost + fmax(0, usual - cost) * usual_s / (usual_s + past_s);
}

double
rp_rate_mean_inter_cost(const struct rp_rate_law *law)
{
    const double p_cost = law->mean.cost[RP_RATE_P];
    const double b_cost = law->mean.cost[RP_RATE_B];

    return b_cost > 0 && p_cost > 0 ? p_cost + rp_rate_b_share(law) * (b_cost - p_cost) : p_cost;
}

double
rp_rate_mean_cost(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    const double i_share = intra_share(law);
    const double share[RP_RATE_TYPES] = {
        [RP_RATE_P] = (1 - i_share) * (1 - rp_rate_b_share(law)),
        [RP_RATE_B] = (1 - i_share) * rp_rate_b_share(law),
        [RP_RATE_I] = i_share,
    };
    double cost = 0;
    double known = 0;

    for (enum rp_rate_type type = 0; type < RP_RATE_TYPES; type++) {
        const double one = type_cost(law, picture, type);
        if (one <= 0)
            continue;
        cost += share[type] * one;
        known += share[type];
    }
    return known > 0 ? cost / known : 0;
}

/* When the next I picture takes all that a full buffer has, the pictures before it need not keep
 * more than that. */
double
rp_rate_mean_buffer_slope(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    const struct rp_rate_mean *mean = &law->mean;
    const double picture_s = law->aim.picture_s;
    const double bps = law->aim.bps;
    const double size_s = picture->fill_s + picture->room_s;
    const double spare_s = fmax(0, picture->fill_s - MEAN_RESERVE * size_s);
    const double cost = fmax(mean->recent, 1e-9);
    const double spend_s = fmax(MEAN_EMPTYING * size_s, MEAN_EMPTYING_PICTURES * picture_s);
    const double slope = bps * picture_s * (picture->fastest + spare_s / spend_s) / cost;

    const int left = law->intra_period - 1 - law->since_intra;
    if (picture->type == RP_RATE_I || left <= 0 || mean->cost[RP_RATE_I] <= 0)
        return slope;
    const double have_s = spare_s + left * picture_s * picture->fastest;
    const double with_intra = have_s / (left * cost + mean->cost[RP_RATE_I]);
    const double beside_full = (have_s - MEAN_KEPT * size_s) / (left * cost);
    return fmin(slope, bps * fmax(with_intra, beside_full));
}

/* Time in which a debt is paid back. What I pictures took that nobody had announced is too much to
 * be paid back at once. */
static double
patience_s(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    const struct rp_rate_mean_constants *c = constants_of(law);
    const bool is_sudden = law->had_sudden || rp_rate_is_sudden(law, picture);

    return fmax(is_sudden ? c->sudden_patience_s : 0,
                c->first_patience_s + c->patience * law->mean.age_s);
}

/* Towards slope, as fast as quantisers may change from picture to picture. */
static double
slope_step(const struct rp_rate_law *law, double slope)
{
    const struct rp_rate_mean *mean = &law->mean;
    const struct rp_rate_mean_constants *c = constants_of(law);
    const double fastest = mean->is_new && mean->age_s < NEW_RATE_S ? c->new_fastest : c->fastest;
    const bool is_first = mean->age_s < MEAN_BEGINNING_S;
    const double fall = is_first ? fmax(fastest, c->first_fastest) : fastest;
    const double rise = is_first && law->debt_s < 0 ? fmax(fastest, c->first_rise) : fastest;

    return mean->slope > 0 ? rp_rate_clip(slope, mean->slope / fall, mean->slope * rise) : slope;
}

double
rp_rate_mean_slope(const struct rp_rate_law *law, const struct rp_rate_picture *picture,
                   double even, double owed_s, double least_urge)
{
    const double owed = owed_s / patience_s(law, picture) + law->mean.standing;
    const double urge = rp_rate_clip(exp(-owed), least_urge, constants_of(law)->most_urge);

    return slope_step(law, even * urge);
}

double
rp_rate_mean_ask(struct rp_rate_law *law, double slope)
{
    law->mean.slope = rp_rate_clip(slope, MEAN_LEAST_SLOPE, most_slope(law));
    return 1 / law->mean.slope;
}

bool
rp_rate_mean_has_small_buffer(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    const double size_s = picture->fill_s + picture->room_s;

    return size_s < MEAN_SMALL_BUFFER * law->aim.picture_s * picture->fastest;
}

double
rp_rate_mean_buffer_s(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    const bool is_large = picture->type == RP_RATE_I || rp_rate_mean_has_small_buffer(law, picture);

    return (is_large ? MEAN_LARGEST : MEAN_LARGE) * fmax(0, picture->fill_s);
}

double
rp_rate_law_intra_cost(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    const double cost = law->mean.cost[RP_RATE_I];

    if (cost <= 0 || law->complexity[RP_RATE_I] <= 0)
        return picture->expected_cost;
    return cost * fmax(0.5, picture->complexity / law->complexity[RP_RATE_I]);
}

static void
note_costs(struct rp_rate_law *law, const struct rp_rate_picture *picture, double base, double bits)
{
    struct rp_rate_mean *mean = &law->mean;
    const struct rp_rate_mean_constants *c = constants_of(law);
    const enum rp_rate_type type = picture->type;
    const double picture_s = law->aim.picture_s;
    const double bps = law->aim.bps;
    const double memory_s = fmin(c->memory_s, c->first_memory_s + c->memory * mean->age_s);
    const double memory = memory_s / picture_s * (type == RP_RATE_I ? intra_share(law) : 1);
    const double least_weight = mean->is_new && mean->age_s < NEW_RATE_S ? NEW_RATE_WEIGHT : 0;

    mean->count[type] = fmin(mean->count[type] + 1, fmax(MEAN_LEAST_MEMORY, memory));
    rp_rate_mean_move(&mean->cost[type], bits * base, fmax(1 / mean->count[type], least_weight));
    if (type == RP_RATE_I)
        mean->intra_s = fmax(0, bits / bps - picture_s);
    else
        rp_rate_mean_move(&mean->recent, bits * base, fmin(1, picture_s / MEAN_RECENT_S));
    if (type == RP_RATE_B)
        rp_rate_mean_move(&mean->b_s, bits / bps, MEAN_B_WEIGHT);
}

/* A picture that takes next to nothing with the finest step shows nothing. */
static void
note_void(struct rp_rate_law *law, double base, double bits)
{
    const double picture_s = law->aim.picture_s;

    if (base < law->scale->finest_step && bits < MEAN_VOID * picture_s * law->aim.bps) {
        law->mean.had_void = true;
        law->mean.since_void_s = 0;
    } else {
        law->mean.since_void_s += picture_s;
    }
}

void
rp_rate_mean_add(struct rp_rate_law *law, const struct rp_rate_picture *picture, double base,
                 double bits, double (*owed_s)(const struct rp_rate_law *law))
{
    struct rp_rate_mean *mean = &law->mean;
    const struct rp_rate_mean_constants *c = constants_of(law);
    const double picture_s = law->aim.picture_s;

    mean->coded_slope = 1 / base;
    note_costs(law, picture, base, bits);
    if (mean->slope <= 0 || !owed_s)
        mean->slope = rp_rate_clip(1 / base, MEAN_LEAST_SLOPE, most_slope(law));
    if (owed_s) {
        const double owed = rp_rate_clip(owed_s(law), -1, 1) * picture_s / c->standing_s;
        mean->standing = rp_rate_clip(mean->standing + owed, -c->most_standing, c->most_standing);
    }
    mean->age_s += picture_s;
    if (mean->usual_slope <= 0)
        mean->usual_slope = mean->coded_slope;
    mean->usual_slope *= pow(mean->coded_slope / mean->usual_slope,
                             picture_s / fmin(mean->age_s, VARIABLE_USUAL_MEMORY_S));
    note_void(law, base, bits);
}

/* I pictures are too rare for their cost to be learnt again. */
void
rp_rate_mean_forget(struct rp_rate_law *law, double change)
{
    struct rp_rate_mean *mean = &law->mean;
    const struct rp_rate_mean_constants *c = constants_of(law);

    mean->is_new = change > OTHER_RATE || change < 1 / OTHER_RATE;
    mean->slope = fmin(mean->slope * change, most_slope(law));
    mean->cost[RP_RATE_P] *= pow(fmax(change, 1 / change), -c->new_power);
    mean->cost[RP_RATE_B] *= pow(fmax(change, 1 / change), -c->new_power);
    mean->age_s = mean->intra_s = mean->standing = 0;
}
