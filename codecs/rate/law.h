/* SPDX-License-Identifier: MIT */
/* The rate law: which quantiser a rate asks of each picture, for any codec and any mix of picture
 * types. A constant rate is held in every five seconds; a variable rate gets its mean within a few
 * seconds, and quality before evenness.
 *
 * Terms. A *step* is a quantiser on a linear scale: about twice as many bits at half the step. The
 * *base* is the step of P pictures; pictures of other types have theirs from it by a factor that is
 * the encoder's. A *cost* is bits at step 1, that is the bits that a picture took times its base. A
 * *slope* is an inverse base: a cost times the slope is bits. The *debt* is what was spent beyond
 * the rate so far, in seconds of the rate; it is negative when something was saved. A *period* is
 * the pictures from one I picture to the next. A *window* is any run of pictures of five seconds.
 *
 * The folder:
 *   law.c            the calls below; choose() alone decides which law answers
 *   recent.c         law: costs of the last pictures, and a plan that pays for each I picture
 *   window.c         law: the quantiser that windows and buffer let stay as it is for longest
 *   mean.c           what the laws of one quantiser for all pictures have in common
 *   mean_constant.c  law: one quantiser, within what windows leave
 *   mean_variable.c  law: one quantiser, within what the buffer leaves
 *   bounds.c         what windows of five seconds leave of the debt
 *   content.c        periods, groups with B pictures and scenes, as they are seen to come
 *   retry.c          which coded pictures break a window, and how large they should have been
 *   target.c         from an application's settings to the rates and limits of one temporal layer
 *   virtual_buffer.c the decoder's buffer, filled for all layers
 *   control.c        a session's pictures: their quantisers, and which are coded again
 *   turns.c          the order in which an encoder's jobs go through it
 *   constants.h      every constant of the laws: unit, what it was measured on, which test holds it
 *
 * Licence. Nothing here is taken from x264's ratecontrol.c, with which each file was compared: no
 * run of five words of its comments is here, no run of ten tokens of its code but heads of loops,
 * and it has neither debts in windows nor these laws. What works on x264's own structures (its
 * predictors, rows, VBV state and macroblock offsets) is in codecs/x264/rate under the GPL.
 */
#ifndef RP_CODECS_RATE_LAW_H
#define RP_CODECS_RATE_LAW_H

#include "reelpipe/rate.h"

#include <stdbool.h>

#define RP_RATE_PAST 1024 /* pictures that debts are remembered of: five seconds of up to 200 a s */

/* A codec's quantisers. Steps may have any unit, as long as all of these have it. */
struct rp_rate_scale {
    int32_t least_index;     /* the finest quantiser that an application may name: QP 0 */
    int32_t greatest_index;  /* the coarsest: QP 51, q index 255 */
    int32_t unlimited_index; /* the coarsest that a rate may use when the application names none */
    double default_step;     /* where a base is asked for and nothing is known of the content */
    double least_step;       /* no larger than that of least_index; more than 0 */
    double finest_step;      /* no picture takes more by a finer one: there is nothing left in it */
    double usual_block_cost; /* of 16x16 samples of a P picture of usual content */
};

/* What a law has to hold. */
struct rp_rate_aim {
    enum rp_rate_mode mode;
    double bps;
    double picture_s; /* seconds from one picture to the next */
    double slack;     /* part of the usual tolerance; 1 when the rate is all of the stream's */
    double buffer_s;  /* size of the buffer, in seconds of the rate; 0: not known */
    int block_count;  /* of a picture, 16x16 samples each; 0: not known */
};

/* The picture to come. */
struct rp_rate_picture {
    enum rp_rate_type type;
    double complexity;    /* any measure in proportion, as the SATD of its residual; 0: not known */
    double expected_cost; /* by the encoder's own prediction; used for the first one of its type */
    double fill_s;        /* bits in the decoder's buffer, in seconds of the rate; 0: not known */
    double room_s;        /* for more of them */
    double fastest;       /* how many times the rate the buffer may be filled with */
    double wanted_bits;   /* that it should take with the base that was asked for; 0: not known */
};

struct rp_rate_law;

/* One law. Which one answers depends on the rate's mode, on layers, and on the periods and B
 * pictures that come: see choose() in law.c. */
struct rp_rate_law_ops {
    const char *name;
    bool has_one_quantiser; /* sizes follow from one quantiser, not from a plan for each picture */
    bool sees_windows;      /* of a constant rate: pictures that break one are coded again */
    bool keeps_rows[RP_RATE_TYPES]; /* rows keep a picture's quantiser while the buffer stands it */

    /* The base of the picture. */
    double (*base)(struct rp_rate_law *law, const struct rp_rate_picture *picture);
    /* Seconds of the rate that it should take at most. */
    double (*most_s)(const struct rp_rate_law *law, const struct rp_rate_picture *picture);
    /* Adds a picture that took so many bits with that base; the debt has them already. */
    void (*add)(struct rp_rate_law *law, const struct rp_rate_picture *picture, double base,
                double bits);
};

/* The laws of one quantiser (mean.c). */
struct rp_rate_mean {
    double cost[RP_RATE_TYPES];  /* mean of many pictures; 0: none yet */
    double count[RP_RATE_TYPES]; /* pictures in that mean, but no more than are remembered */
    double recent;               /* mean cost of the last pictures that are not I */
    double slope;                /* that was asked of the last picture; 0: there is none */
    double coded_slope;          /* what its rows made of it */
    double usual_slope;          /* geometric mean of coded slopes */
    double intra_s;              /* what the last I picture took beyond its time */
    double b_s;                  /* mean of what the last B pictures took */
    double standing;             /* integral term: exponent of what has been owed for long */
    double age_s;                /* since the rate is what it is */
    bool is_new;                 /* the rate was quite another before */
    bool had_void;               /* pictures with nothing in them have come */
    double since_void_s;         /* since the last one of those */
};

/* The state of one temporal layer's law. Zeroed, then set and initialised; copied by assignment, so
 * that an encoder can plan a picture before the one in front of it has ended. Its members are for
 * this folder, but for picture_count, which encoders read. */
struct rp_rate_law {
    const struct rp_rate_scale *scale; /* borrowed, constant */
    struct rp_rate_aim aim;

    /* What the application said of its pictures. */
    bool begins_long;     /* its period, or that it did not say any, is a long one */
    bool is_announced;    /* it said a period */
    bool has_announced_b; /* and B pictures, no more in a run than windows can be kept with */

    /* What was owed. */
    int picture_count; /* since the first one, whatever the rate was */
    double debt_s;
    double group_debt_s;              /* before the last picture that was not B */
    float past_debt_s[RP_RATE_PAST];  /* debt_s before each of the last pictures */
    float past_group_s[RP_RATE_PAST]; /* group_debt_s of each of them */
    double held_s;     /* as B pictures of recent.c see it: each took what it should */
    double standing_s; /* integral term of recent.c: costs always taken for too high */

    /* The plan that pays for large pictures (recent.c). */
    double plan_s;       /* part of the debt that is left to be paid back */
    double plan_whole_s; /* that part after the last picture that was planned for */
    int plan_age;        /* pictures since then */
    double plan_step_s;  /* what the next picture pays back */

    /* Costs. */
    double cost[RP_RATE_TYPES];       /* mean of the last pictures; 0: none yet */
    double complexity[RP_RATE_TYPES]; /* mean of the same pictures */
    int new_count;                    /* pictures to come that weigh more: the rate is another */
    struct rp_rate_mean mean;

    /* Costs of P pictures by how fine their reference is (window.c). */
    double usual_cost;      /* mean of many P pictures */
    double stillness;       /* part of an I picture's cost that a much finer P picture pays again */
    double reference_slope; /* what the next picture's reference is worth */
    double last_slope;      /* of the P picture before; 0: there is none */

    /* Content (content.c). */
    double share[RP_RATE_TYPES]; /* of the types in the last pictures; their sum is 1 */
    int intra_period;
    int since_intra;
    bool had_sudden;  /* I pictures come sooner than they were said to */
    double swing;     /* mean of how P pictures' complexity changes, a logarithm */
    bool is_restless; /* scenes change, or pictures differ much in what they cost */
};

/* Before the first picture. What the application says of its pictures; 0: nothing. scale: borrowed,
 * as long as the law. */
void rp_rate_law_init(struct rp_rate_law *law, const struct rp_rate_scale *scale, int gop_pictures,
                      int b_pictures);

/* The rate, also in mid stream: then rp_rate_law_forget() follows when it is another. */
void rp_rate_law_set(struct rp_rate_law *law, const struct rp_rate_aim *aim);

/* The rate is so many times that before: what was owed is forgotten at once, costs soon. */
void rp_rate_law_forget(struct rp_rate_law *law, double change);

/* The base of the picture to come; after the first one, whose size alone is bounded. */
double rp_rate_law_base(struct rp_rate_law *law, const struct rp_rate_picture *picture);

/* The most and the least bits that it should take. */
double rp_rate_law_most(const struct rp_rate_law *law, const struct rp_rate_picture *picture);
double rp_rate_law_least(const struct rp_rate_law *law);

/* Adds a picture that took so many bits with that base. */
void rp_rate_law_add(struct rp_rate_law *law, const struct rp_rate_picture *picture, double base,
                     double bits);

/* Adds filler behind the picture: nothing is made good later that was spent on that. */
void rp_rate_law_fill(struct rp_rate_law *law, double bits);

/* The state that pictures before the one under way have left since it was planned becomes base's;
 * what its own plan has changed stays. */
void rp_rate_law_rebase(struct rp_rate_law *law, const struct rp_rate_law *base);

/* The law that answers for the next picture. */
const struct rp_rate_law_ops *rp_rate_law_chosen(const struct rp_rate_law *law);

/* B pictures have the step that the encoder derives from how their references came out, not one of
 * the law's. */
bool rp_rate_law_b_follows(const struct rp_rate_law *law);

/* Costs are known and the rate is no new one: a picture may be planned while the one before is
 * still being coded. */
bool rp_rate_law_is_steady(const struct rp_rate_law *law);

/* The buffer of a variable rate holds few pictures: sums of predicted rows, which encoders take for
 * larger than they are, would keep each picture from using it. */
bool rp_rate_law_has_small_buffer(const struct rp_rate_law *law,
                                  const struct rp_rate_picture *picture);

/* What an I picture costs by those before it: an upper bound for predictions, which are too high
 * for a finer one than was seen. */
double rp_rate_law_intra_cost(const struct rp_rate_law *law, const struct rp_rate_picture *picture);

/* Pictures from the one to come, an I picture or not, to the next I picture; very many when that is
 * overdue, or nobody knows. */
int rp_rate_law_to_intra(const struct rp_rate_law *law, bool is_intra);

#endif
