/* SPDX-License-Identifier: MIT */
/* Every constant of the rate laws: its unit, and for each group what it was measured on and which
 * test of tests/rate fails when it is wrong.
 *
 * Units: s is seconds of the rate (of bits), "time" a picture's own seconds; "part" is a part of
 * 1. BD-rate is that of luma PSNR against x264's command line with the same rate and buffer at the
 * preset veryfast. "Clips" are 17 to 31 clips of 320x240 (cameras, cuts, fades, slides, noise,
 * fractals), each at four rates from 60 kbit/s to 8 Mbit/s, with an I picture every 60, 250 and 12.
 * "A -> B" is a figure without and with what the comment is about.
 */
#ifndef RP_CODECS_RATE_CONSTANTS_H
#define RP_CODECS_RATE_CONSTANTS_H

#include "reelpipe/rate.h"

#include <stdbool.h>

/* clang-format off */

/* Windows of a constant rate (bounds.c, window.c). Five seconds within 3 %: 5 of 84 streams of 21
 * clips leave that, 29 without these bounds. Tests: rate.windows, rate.retry. */
#define WINDOW_S 5                  /* time: length of a window */
#define WINDOW_FIRST_TOLERANCE_S 0.1 /* s: more than else, in the first window */
#define WINDOW_FAR_S 0.4            /* s: the most debt at any time ... */
#define WINDOW_FAR_WHOLE_S 0.6      /* s: ... when whole periods fill a window */
#define WINDOW_SAVED_S 0.3          /* s: the most that is saved */
#define WINDOW_RETURN 0.3           /* s a second: how fast a debt beyond that comes back */
#define WINDOW_STEEP 0.7            /* s a second: the most a window takes from later pictures: at 1
                                       five to nine pictures after a cut had QP 51 */
#define WINDOW_BUFFER_PART 0.9      /* part of the buffer's bits that pictures may count on */

/* The law of window.c: I and P pictures of one layer in long periods. BD-rate at a period of 60,
 * fixed camera +8.8 -> -3, street +7.9 -> -2.8, pan +18.7 -> +2.4 %. Tests: rate.windows,
 * rate.refinement, rate.unannounced. */
#define PLAN_TOLERANCE_S 0.135      /* s of a window: what plans may use of 0.15, which is 3 % */
#define PLAN_MOST_TOLERANCE_S 0.14  /* s of a window: what one picture may make of it */
#define PLAN_STEEP 0.8              /* s a second: the most that later pictures may make good */
#define PLAN_JUMP_S 0.27            /* s beyond its time that a picture may take; ... */
#define PLAN_WHOLE_JUMP_S 0.5       /* s: ... an I picture when whole periods fill a window; ... */
#define PLAN_FIRST_JUMP_S 0.23      /* s: ... the first one, which nothing was saved for; ... */
#define PLAN_SUDDEN_JUMP_S 0.12     /* s: ... an I picture that nobody announced */
#define PLAN_LEAST_PART 0.3         /* part of its time that any picture may take */
#define PLAN_OWED_AT_END_S 0.09     /* s: debt that is aimed at just before an I picture */
#define PLAN_NEAR 12                /* pictures: an I picture so near is planned for */
#define PLAN_HORIZON_S 1.5          /* time that plans look ahead; ... */
#define PLAN_MOST_PICTURES 200      /* pictures: ... at the most */
#define PLAN_AHEAD 8                /* pictures that see to the least bits of windows together */
#define PLAN_FASTEST 1.25           /* factor: change of slope from picture to picture */
#define PLAN_BETTER_THAN_FIRST 1.5  /* factor: slope after the first I picture, of that one's */
#define PLAN_DECAY 0.9              /* factor a picture: how refining a reference calms down */
#define PLAN_COARSE 0.8             /* part of a slope: a reference below it counts as coarse */
#define PLAN_LEAST_SLOPE 1e-6       /* slope: no division by 0 */
#define PLAN_STEPS 12               /* steps of a search by halves */
#define PLAN_STILLNESS 0.3          /* part of an I picture's cost, before any was seen */
#define PLAN_STILLNESS_WEIGHT 0.2   /* part: weight of the newest picture in that */
#define PLAN_REFERENCE_WEIGHT 0.2   /* part: how a coarser picture makes the reference coarser */
#define PLAN_COST_WEIGHT 0.2        /* part: weight of the newest P picture's cost; ... */
#define PLAN_REFINED_WEIGHT 0.1     /* part: ... of one whose reference is coarse */
#define PLAN_USUAL_WEIGHT 0.04      /* part: ... in the mean of many. Fades +18.0 -> +15.4 % */

/* Which law answers (law.c). Rarer pictures and smaller buffers left windows with one quantiser:
 * .933 to .947 of the rate at 5 pictures a second and I every ten, .946 at 25 with 300 ms of
 * buffer. Tests: rate.choice, rate.windows. */
#define CHOICE_LONG_PERIOD 16       /* pictures: shorter periods are not planned by window.c */
#define CHOICE_PLAN_PICTURE_S 0.13  /* time of a picture: with rarer ones few fill a window */
#define CHOICE_MEAN_PICTURE_S 0.21  /* time: the same, for mean_constant.c */
#define CHOICE_MEAN_PERIOD 2        /* pictures: the shortest period of mean_constant.c */
#define CHOICE_MEAN_BUFFER_S 0.5    /* s: the smallest buffer of mean_constant.c */
#define CHOICE_MOST_B_RUN 3         /* pictures: more B pictures in a run move windows too far.
                                       Windows out with two: 32 -> 19 of 32 */

/* Content (content.c). Restless content at a period of 60: cuts +44 -> +15 %, flashes +35 -> +8,
 * a camera at 10 pictures a second +12 -> +6. Test: rate.cuts. */
#define CONTENT_SHARE_WEIGHT (1.0 / 24) /* part: weight of the newest picture in a type's share */
#define CONTENT_LEAST_B_SHARE 0.01  /* part of B pictures: fewer say nothing */
#define CONTENT_OTHER_SCENE 2       /* times the usual complexity of P pictures, and ... */
#define CONTENT_OTHER_SCENE_I 0.5   /* times an I picture's: then it is another scene */
#define CONTENT_SWING_WEIGHT 0.1    /* part: weight of the newest change of complexity */
#define CONTENT_MOST_SWING 2        /* natural logarithm: the most that one picture counts with */
#define CONTENT_RESTLESS_SWING 0.4  /* natural logarithm: mean change of restless content */

/* What all laws do after a change of rate, and with black. After a change by ten the first ten
 * pictures take .97 to 1.33 of the new rate, 1.3 to 1.9 without this. Tests: rate.new_rate,
 * rate.black. */
#define OTHER_RATE 1.3              /* factor: beyond it, either way, the rate is quite another */
#define NEW_RATE_PICTURES 10        /* pictures whose costs weigh more then; ... */
#define NEW_RATE_S 0.5              /* time: ... or this long, in mean.c */
#define NEW_RATE_WEIGHT 0.4         /* part: the weight of their costs */
#define MOST_KEPT_S 0.3             /* s: most that is made good of what black could not take.
                                       Black for 4 s, period 60: +22.9 -> +11.4 % */

/* The law of recent.c. Twelve clips at 60 kbit/s to 8 Mbit/s: five seconds within 4.5 %, mostly 3;
 * without these up to 12 (38 after still content). Tests: rate.windows, rate.layers. */
#define RECENT_SHORT_PERIOD 2       /* pictures: I pictures so near have no plan; ... */
#define RECENT_SHORT_PERIOD_S 0.3   /* time: ... nor so near */
#define RECENT_PAYBACK_PICTURES 4   /* pictures: no debt is paid back faster, ... */
#define RECENT_PAYBACK_GROUPS 1.5   /* groups with B pictures: ... nor than that */
#define RECENT_MOST_STANDING 1.2    /* part of the time in which a debt is paid back */
#define RECENT_LAYER_PATIENCE 10    /* factor: one of several layers, whose debt is a part of the
                                       stream's, keeps more. Still slides .91 -> .95 of the rate */
#define RECENT_STEEP 0.8            /* s a second: the most that a plan keeps back */
#define RECENT_GROUP_SWING 0.8      /* part of the time of B pictures: the one before takes it */
#define RECENT_LEAST_URGE 0.2       /* factor: the least that a debt leaves of the rate; ... */
#define RECENT_MOST_URGE 6          /* factor: ... and the most that savings add */
#define RECENT_LEAST_PART 0.3       /* part of its time that any picture may take */

struct rp_rate_recent_constants {
    double payback_s;        /* time in which a debt is paid back */
    double standing_s;       /* time in which what stays owed is believed to stay */
    double least_debt_s;     /* s: what was not spent is not all made good later */
    double most_debt_s;      /* s */
    double jump_s;           /* s that may be owed after a picture, but for what is planned */
    double plan_jump_s;      /* s that a large picture may leave to a plan, windows permitting */
    double plan_bound_s;     /* s that a plan may leave owed, a window's time apart */
    double plan_s;           /* time: the longest plan */
    double window_s;         /* s that may be owed more, or less, than a window ago; 0: any */
    double cost_weight;      /* part: weight of the newest picture's cost */
    double complexity_power; /* exponent: from complexity to cost */
    bool plans_intra;        /* all I pictures; else the first picture only */
};

static const struct rp_rate_recent_constants rp_rate_recent_constants[] = {
    [RP_RATE_CBR] = {
        .payback_s = 0.25,
        .standing_s = 1.5,
        .least_debt_s = -0.12,
        .most_debt_s = 1,
        .jump_s = 0.09,
        .plan_jump_s = 0.5,
        .plan_bound_s = 0.128,
        .plan_s = 10,
        .window_s = 0.135,
        .cost_weight = 0.3,
        .complexity_power = 0.8,
        .plans_intra = true,
    },
    [RP_RATE_VBR] = {
        .payback_s = 1,
        .standing_s = 10,
        .least_debt_s = -3,
        .most_debt_s = 3,
        .jump_s = 1,
        .plan_jump_s = 1,
        .plan_s = 4,
        .cost_weight = 0.06,
        .complexity_power = 0.5,
    },
};

/* The laws of one quantiser (mean.c). A variable rate, period 60, 17 clips: +10.2 -> -8.1 %, the
 * worst picture of a clip 2.4 dB above x264's. Tests: rate.variable, rate.scenes. */
#define MEAN_RECENT_S 0.3           /* time: memory of the cost that the buffer must stand */
#define MEAN_LEAST_MEMORY 3.0       /* pictures that a mean has at least */
#define MEAN_USUAL_S 0.6            /* time of usual content in the mean: what costs less than that
                                       in the beginning, as black does. Fades +30.3 -> +1.7 % */
#define MEAN_VOID 0.1               /* part of its time: a picture that takes less with the finest
                                       step shows nothing. Fades, constant: +15.4 -> +5.9 % */
#define MEAN_BEGINNING_S 1          /* time in which quantisers may change in haste */
#define MEAN_LONGEST_PLAN_S 8       /* time: the longest in which an I picture is paid for */
#define MEAN_RESERVE 0.15           /* part of the buffer that is no picture's */
#define MEAN_EMPTYING 0.6           /* part of the buffer's time: how fast the rest may be spent */
#define MEAN_EMPTYING_PICTURES 3    /* pictures: ... at the fastest */
#define MEAN_KEPT 0.7               /* part of the buffer: most that is kept for an I picture */
#define MEAN_LARGE 0.6              /* part of the buffer's bits: the largest P or B picture; ... */
#define MEAN_LARGEST 0.9            /* part: ... I picture */
#define MEAN_SMALL_BUFFER 5         /* pictures: in a smaller buffer each may have MEAN_LARGEST */
#define MEAN_B_WEIGHT 0.2           /* part: weight of the newest B picture's bits */
#define MEAN_LEAST_SLOPE 1e-7       /* slope: no division by 0 */

/* The law of mean_constant.c: 17 clips, period 12, +20.6 -> -.4 %, the worst picture 3.0 -> .7 dB
 * below x264's. Tests: rate.windows, rate.cuts, rate.retry. */
#define HELD_CENTRE_S 4             /* time from which half of an I picture is saved for before */
#define HELD_LOOK_S 1               /* time that windows are looked at ahead; ... */
#define HELD_LEAST_LOOK 6           /* pictures: ... at least and ... */
#define HELD_MOST_LOOK 200          /* pictures: ... at the most */
#define HELD_TOLERANCE_S 0.12       /* s of a window: what plans use; ... */
#define HELD_MOST_TOLERANCE_S 0.132 /* s of a window: ... and what one picture may make of it */
#define HELD_STEEP 0.7              /* s a second: what later pictures make good */
#define HELD_RECALL_S 2             /* time in which costs come back to their mean */
#define HELD_SCENE_POWER 0.25       /* exponent: of a scene's complexity, over I pictures'.
                                       31 clips, period 12: -1.30 -> -2.08 % */
#define HELD_COLLAPSE 5             /* factor: an I picture's slope is not less than the last one's
                                       over this, ... */
#define HELD_COLLAPSE_S 0.3         /* s: ... unless it takes more than that */
#define HELD_FIRST_JUMP_S 0.3       /* s beyond its time: the first picture; ... */
#define HELD_GROUP_JUMP_S 0.22      /* s: ... that one and I pictures, with B pictures; ... */
#define HELD_MOST_JUMP_S 5          /* s: ... any other */
#define HELD_LEAST_PART 0.3         /* part of its time that a picture may take; ... */
#define HELD_LEAST_GROUP 0.5        /* part: ... of its group's time when B pictures follow */
#define HELD_SHORT_PERIOD_S 1       /* time: shorter periods are seen in part by windows, ... */
#define HELD_MOST_SWING_S 0.16      /* s: ... which may see no more than that of an I picture */

/* The law of mean_variable.c: hard scenes keep their bits. 31 clips, period 60, +4.9 -> -.4 %
 * (traffic +91 -> +33). Tests: rate.variable, rate.scenes, rate.unannounced. */
#define VARIABLE_FIRST_PLAN_S 1     /* time in which the first I picture is paid for; later ... */
#define VARIABLE_PLAN 0.2           /* s a second: ... more by that part of the stream's age */
#define VARIABLE_KEPT_FOR_I 0.04    /* s a second: the most that is saved for the next one */
#define VARIABLE_FIRST_S 0.5        /* s: the first picture, which others are refined from */
#define VARIABLE_USUAL_MEMORY_S 20  /* time: memory of slopes; they are known ... */
#define VARIABLE_UNKNOWN_S 1        /* time: ... not before this ... */
#define VARIABLE_KNOWN_S 3          /* time: ... and fully so much later */
#define VARIABLE_HARD_URGE 0.4      /* factor, for each halving of the usual slope; at most ... */
#define VARIABLE_MOST_HARD_URGE 0.85 /* factor */
#define VARIABLE_FIRST_HARD_URGE 0.5 /* factor: ... in the beginning, and later by ... */
#define VARIABLE_HARD_URGE_PER_S 0.05 /* factor a second */

/* What depends on time is given for the stream's beginning, and more by a part of the time since: a
 * stream may end soon, and one that has gone on for long has time. Short clips: means of the first
 * 50 to 150 pictures off by over 5 %: 88 of 420. */
struct rp_rate_mean_constants {
    double first_memory_s, memory, memory_s; /* time: of costs; part of the age; the most of it */
    double first_patience_s, patience;       /* time, part of the age: how slowly debts are paid */
    double sudden_patience_s; /* time: at least, once an I picture has come unannounced. Minimum of
                                 32 streams' PSNR 30.7 -> 33.5 dB */
    double standing_s;        /* time in which what stays owed is believed to stay */
    double most_standing;     /* natural logarithm: of what that changes */
    double least_urge;        /* factor: the least that a debt leaves of the rate. .35 -> .55: two
                                 scenes of traffic +107 -> +73 % */
    double most_urge;         /* factor: the most that savings add */
    double fastest;           /* factor: change of slope from picture to picture; ... */
    double new_fastest;       /* factor: ... when the rate is quite another; ... */
    double first_fastest;     /* factor: ... downwards, in the beginning; ... */
    double first_rise;        /* factor: ... upwards, while nothing is owed */
    double new_power;         /* exponent: costs fall as the slope does at a new rate */
    double usual_s;           /* time of usual content in the mean, in the beginning */
};

static const struct rp_rate_mean_constants rp_rate_mean_constants[] = {
    [RP_RATE_CBR] = {
        .first_memory_s = 6,
        .memory_s = 6,
        .first_patience_s = 0.8,
        .standing_s = 4,
        .most_standing = 0.7,
        .least_urge = 0.2,
        .most_urge = 4,
        .fastest = 1.12,
        .new_fastest = 8,
        .first_fastest = 1.12,
        .first_rise = 1.12,
    },
    [RP_RATE_VBR] = {
        .first_memory_s = 0.5,
        .memory = 0.25,
        .memory_s = 6,
        .first_patience_s = 0.15,
        .patience = 0.05,
        .sudden_patience_s = 1,
        .standing_s = 5,
        .most_standing = 1,
        .least_urge = 0.55,
        .most_urge = 4,
        .fastest = 1.25,
        .new_fastest = 1.6,
        .first_fastest = 2.5,
        .first_rise = 2,
        .new_power = 0.15,
        .usual_s = MEAN_USUAL_S,
    },
};

/* Pictures that break a window (retry.c): windows out of 3 % 29 -> 5, 24 -> 2, 27 -> 10 of 84 at
 * periods of 60, 250, 12. Test: rate.retry. */
#define RETRY_MOST_S 5              /* s beyond its time, when no window says anything */
#define RETRY_STEEP 0.8             /* s a second: what later pictures may make good */
#define RETRY_SMALL_B 0.5           /* part of what B pictures take: they may come down to it */
#define RETRY_TOLERANCE_S 0.145     /* s of a window: beyond it a picture is coded again; ... */
#define RETRY_AIM_S 0.125           /* s: ... for that */
#define RETRY_LEAST_PART 0.1        /* part of what it took that it is coded again for */

/* Settings of several layers, and HRD (target.c). Tests: rate.target, codec_x264.rate_layers. */
#define TARGET_DEFAULT_BUFFER_MS 1000 /* ms */
#define TARGET_DEFAULT_FILL 0.75    /* part of the buffer, as the decoder sees it */
#define TARGET_UPPER_SLACK 0.7      /* part of the usual tolerance: layers without I pictures */
#define TARGET_LEAST_HRD_RATE 0.99  /* part of the rate: rates in a sequence header are rounded */

/* clang-format on */

#endif
