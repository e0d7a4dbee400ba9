/* SPDX-License-Identifier: MIT */
/* Which law answers, and what is kept whichever does.
 */
#include "law.h"

#include "constants.h"
#include "content.h"
#include "laws.h"
#include "mean.h"
#include "numbers.h"

/* Pictures of a constant rate that one quantiser suits: periods that are too short for plans,
 * content whose plans would swing, groups with as few B pictures as windows can be kept with. */
static bool
suits_one_quantiser(const struct rp_rate_law *law)
{
    const bool is_regular =
        !law->begins_long || (law->is_restless && law->is_announced && !law->had_sudden);
    const bool has_groups = law->begins_long && law->has_announced_b;

    return law->aim.slack == 1 && (rp_rate_has_b(law) ? has_groups : is_regular) &&
           law->intra_period >= CHOICE_MEAN_PERIOD && law->aim.picture_s <= CHOICE_MEAN_PICTURE_S &&
           (law->aim.buffer_s <= 0 || law->aim.buffer_s >= CHOICE_MEAN_BUFFER_S);
}

/* The one place where a law is chosen. */
static const struct rp_rate_law_ops *
choose(const struct rp_rate_law *law)
{
    if (law->aim.mode == RP_RATE_VBR)
        return law->aim.slack == 1 ? &rp_rate_mean_variable : &rp_rate_recent;
    if (suits_one_quantiser(law))
        return &rp_rate_mean_constant;
    return rp_rate_has_refinement(law) ? &rp_rate_window : &rp_rate_recent;
}

void
rp_rate_law_init(struct rp_rate_law *law, const struct rp_rate_scale *scale, int gop_pictures,
                 int b_pictures)
{
    law->scale = scale;
    law->intra_period = gop_pictures > 0 ? gop_pictures : RP_RATE_UNKNOWN_PERIOD;
    const double i_share = 1.0 / law->intra_period;
    const double b_run = rp_rate_clip(b_pictures, 0, fmax(0, law->intra_period - 2));
    const double b_share = (1 - i_share) * b_run / (b_run + 1.0);

    law->is_announced = gop_pictures > 0;
    law->has_announced_b = b_pictures > 0 && b_pictures <= CHOICE_MOST_B_RUN;
    law->begins_long = law->intra_period >= CHOICE_LONG_PERIOD;
    law->stillness = PLAN_STILLNESS;
    law->share[RP_RATE_I] = i_share;
    law->share[RP_RATE_B] = b_share;
    law->share[RP_RATE_P] = 1 - i_share - b_share;
}

void
rp_rate_law_set(struct rp_rate_law *law, const struct rp_rate_aim *aim)
{
    law->aim = *aim;
}

void
rp_rate_law_forget(struct rp_rate_law *law, double change)
{
    if (change > OTHER_RATE || change < 1 / OTHER_RATE) {
        law->new_count = NEW_RATE_PICTURES;
        law->last_slope = 0;
    }
    rp_rate_mean_forget(law, change);
    law->debt_s = law->held_s = law->group_debt_s = 0;
    law->plan_s = law->plan_whole_s = law->plan_step_s = 0;
    for (int i = 0; i < RP_RATE_PAST; i++)
        law->past_debt_s[i] = law->past_group_s[i] = 0;
}

double
rp_rate_law_base(struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    law->is_restless |= rp_rate_is_other_scene(law, picture);
    return choose(law)->base(law, picture);
}

double
rp_rate_law_most(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    return choose(law)->most_s(law, picture) * law->aim.bps;
}

double
rp_rate_law_least(const struct rp_rate_law *law)
{
    return rp_rate_recent_least_s(law) * law->aim.bps;
}

/* What was owed before the picture, for the windows that will begin with it. */
static void
note_past(struct rp_rate_law *law, const struct rp_rate_picture *picture, double bits)
{
    if (picture->type != RP_RATE_B) {
        law->held_s = law->debt_s - law->plan_s;
        law->group_debt_s = law->debt_s;
    }
    law->past_debt_s[law->picture_count % RP_RATE_PAST] = (float)law->debt_s;
    law->past_group_s[law->picture_count % RP_RATE_PAST] = (float)law->group_debt_s;
    if (picture->wanted_bits > 0)
        law->held_s += (bits - picture->wanted_bits) / law->aim.bps;
}

static void
note_share(struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    for (enum rp_rate_type type = 0; type < RP_RATE_TYPES && law->picture_count; type++)
        law->share[type] += CONTENT_SHARE_WEIGHT * ((type == picture->type) - law->share[type]);
}

void
rp_rate_law_add(struct rp_rate_law *law, const struct rp_rate_picture *picture, double base,
                double bits)
{
    const double jump_s = bits / law->aim.bps - law->aim.picture_s;

    note_past(law, picture, bits);
    law->had_sudden |= rp_rate_is_sudden(law, picture);
    rp_rate_content_note_scene(law, picture);
    rp_rate_mean_move(&law->complexity[picture->type], picture->complexity,
                      rp_rate_recent_constants[law->aim.mode].cost_weight);
    law->debt_s += jump_s;
    choose(law)->add(law, picture, base, bits);
    rp_rate_content_note_place(law, picture);
    rp_rate_recent_note_plan(law, picture, jump_s);
    rp_rate_recent_note_standing(law);
    note_share(law, picture);
    law->picture_count++;
}

void
rp_rate_law_fill(struct rp_rate_law *law, double bits)
{
    law->debt_s += bits / law->aim.bps;
}

void
rp_rate_law_rebase(struct rp_rate_law *law, const struct rp_rate_law *base)
{
    const double slope = law->mean.slope;
    const bool is_restless = law->is_restless;

    *law = *base;
    law->mean.slope = slope;
    law->is_restless |= is_restless;
}

const struct rp_rate_law_ops *
rp_rate_law_chosen(const struct rp_rate_law *law)
{
    return choose(law);
}

bool
rp_rate_law_b_follows(const struct rp_rate_law *law)
{
    const bool is_short = !law->begins_long && law->has_announced_b && law->aim.slack == 1;

    return law->aim.mode == RP_RATE_CBR && (is_short || choose(law)->has_one_quantiser);
}

bool
rp_rate_law_is_steady(const struct rp_rate_law *law)
{
    return law->picture_count >= 2 && law->new_count == 0;
}

bool
rp_rate_law_has_small_buffer(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    return choose(law) == &rp_rate_mean_variable && rp_rate_mean_has_small_buffer(law, picture);
}
