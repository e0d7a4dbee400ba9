/* SPDX-License-Identifier: MIT */
/* Which quantiser a rate asks for, for any mix of picture types. x264 leaves a constant rate to the
 * buffer, which holds it within its own size, a second for most: this keeps the mean of any five
 * seconds. A variable rate gets its mean within a few seconds, and quality before evenness.
 *
 * Quantisers are x264's qscales. The base is that of P pictures; others have theirs from it by a
 * fixed factor. Costs are bits at base 1: what a picture took, times the base it was coded with.
 */
#ifndef RP_CODECS_RATE_LAW_H
#define RP_CODECS_RATE_LAW_H

#include <stdbool.h>

#define RP_X264_PACE_TYPES 3 /* x264's slice types: P, B, I */

#define RP_X264_PACE_PAST 1024 /* pictures; five seconds of up to 200 a second */

/* Of a variable rate of one layer (mean.h). */
struct rp_x264_pace_mean {
    double cost[RP_X264_PACE_TYPES];  /* mean of many pictures; 0: none yet */
    double count[RP_X264_PACE_TYPES]; /* of pictures in it, but no more than are remembered */
    double recent;                    /* cost of the last pictures that are not I */
    double slope;                     /* of the last picture; 0: there is none */
    double coded_slope;               /* what its rows made of that */
    double usual_slope;               /* geometric mean of many pictures' */
    double intra_s;                   /* what the last I picture took beyond its time */
    double b_s;                       /* what B pictures take, in the mean of the last ones */
    double standing;                  /* exponent of what has been owed for long */
    double age_s;                     /* since the rate is what it is */
    bool is_new;                      /* it was quite another before */
    bool had_void;                    /* pictures that took nothing, as finely as may be; ... */
    double since_void_s;              /* ... how long ago */
};

struct rp_x264_pace {
    const struct rp_x264_pace_manner *manner; /* of a constant or a variable rate */
    double slack;        /* of what is tolerated: 1 when the rate is all of the stream's */
    double buffer_s;     /* size of the buffer, in seconds of the rate; 0: not known */
    int macroblocks;     /* of a picture; 0: not known */
    double debt_s;       /* spent beyond the rate, in seconds of it */
    double plan_s;       /* of the debt: what large pictures left, to be paid back */
    double plan_whole_s; /* as it was after the last of them, ... */
    int plan_age;        /* ... so many pictures ago */
    double plan_step_s;  /* what the next picture pays back */
    double held_s;       /* what B pictures go by: the debt as if each took what it was meant to */
    double standing_s;   /* sum of what stays owed: costs that are always taken for too high */
    double cost[RP_X264_PACE_TYPES];       /* mean of the last pictures; 0: none yet */
    double complexity[RP_X264_PACE_TYPES]; /* mean of the same pictures */
    double share[RP_X264_PACE_TYPES];      /* of the last pictures; sum 1 */
    bool begins_long;                      /* the period that the application said, or did not */
    bool is_restless;       /* content: scenes change, or pictures differ much in what they cost */
    double swing;           /* of P pictures' complexity, a logarithm; mean of the last ones */
    bool is_announced;      /* the period that I pictures come in */
    bool has_announced_b;   /* and so are B pictures, no more of them in a run than may be */
    bool had_sudden;        /* I picture: periods are not what they were said to be */
    double usual_cost;      /* of a P picture, in the mean of many */
    double stillness;       /* of an I picture's cost: what much finer P pictures pay once more */
    double reference_slope; /* inverse of the base that the next picture's reference is worth */
    double last_slope;      /* of the P picture before; 0: there is none */
    int intra_period;       /* pictures from I to I */
    int since_intra;
    int picture_count;
    struct rp_x264_pace_mean mean;
    int new_count; /* pictures to come whose costs count for more: the rate is quite another */
    double group_debt_s;                   /* before the last picture that was not B */
    float past_debt_s[RP_X264_PACE_PAST];  /* before the last pictures, ... */
    float past_group_s[RP_X264_PACE_PAST]; /* ... and group_debt_s of them */
};

/* The picture to come. */
struct rp_x264_pace_picture {
    int type;
    double complexity;    /* SATD */
    double factor;        /* its qscale over the base's */
    double expected_cost; /* by x264's predictor; for the first one of its type */
    double fill_s;        /* bits in the buffer, in seconds of the rate; 0: not known */
    double room_s;        /* for more of them */
    double fastest;       /* how many times the rate the buffer may be filled with */
    double wanted_bits;   /* with the base that was asked for; 0: not known */
};

/* What the application says of its pictures; 0: nothing. */
void rp_x264_pace_init(struct rp_x264_pace *pace, int gop_pictures, int b_pictures);

/* I and P pictures of one layer at a constant rate: each quantiser is chosen with those that follow
 * in view (window.h). */
bool rp_x264_pace_is_path(const struct rp_x264_pace *pace, double picture_s);

/* Pictures from the one to come, an I picture or not, to the next I picture; very many when that is
 * overdue, or nobody knows. */
int rp_x264_pace_to_intra(const struct rp_x264_pace *pace, bool is_intra);

/* The picture is an I picture that comes sooner than was known: nothing was kept for it. */
bool rp_x264_pace_is_sudden(const struct rp_x264_pace *pace,
                            const struct rp_x264_pace_picture *picture);

/* It shows another scene than the P pictures before it. */
bool rp_x264_pace_is_other_scene(const struct rp_x264_pace *pace,
                                 const struct rp_x264_pace_picture *picture);

/* Pictures of type B are announced, or come. */
bool rp_x264_pace_has_b(const struct rp_x264_pace *pace);

/* How many of them follow a P picture. */
int rp_x264_pace_b_run(const struct rp_x264_pace *pace);

/* Or a variable rate. */
bool rp_x264_pace_is_constant(const struct rp_x264_pace *pace);

/* Also in mid stream. */
void rp_x264_pace_set_constant(struct rp_x264_pace *pace, bool is_constant);

/* The rate is a new one, so many times that before: what was owed is forgotten, and the costs
 * soon. */
void rp_x264_pace_forget(struct rp_x264_pace *pace, double change);

/* picture_s: seconds from picture to picture; bps: the rate. */
double rp_x264_pace_base(struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
                         double picture_s, double bps);

/* The most and the least bits that it should take. */
double rp_x264_pace_most(const struct rp_x264_pace *pace,
                         const struct rp_x264_pace_picture *picture, double picture_s, double bps);
double rp_x264_pace_least(const struct rp_x264_pace *pace, double picture_s, double bps);

/* It took so many bits with that base. */
void rp_x264_pace_add(struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
                      double base, double bits, double picture_s, double bps);

/* Filler followed it: nothing is made good later that was spent on that. */
void rp_x264_pace_fill(struct rp_x264_pace *pace, double bits, double bps);

#endif
