/* SPDX-License-Identifier: MIT */
/* A variable rate through scenes that cost quite other numbers of bits: what a hard one has, and
 * the mean of all.
 */
#include "stream.h"

#include <math.h>
#include <stdio.h>

#define FPS 25
#define PERIOD 50 /* pictures from I to I */
#define BUFFER_S 1
#define FASTEST 2 /* times the rate */

struct scene {
    double seconds;
    double cost; /* of a P picture, bits at base 1 */
};

/* A buffer of a second, filled twice as fast as the rate. */
static double
code_picture(struct rp_rate_law *law, double cost, double *fill_s)
{
    const double picture_s = 1.0 / FPS;
    const enum rp_rate_type type = law->picture_count % PERIOD == 0 ? RP_RATE_I : RP_RATE_P;
    const double own_cost = type == RP_RATE_I ? 8 * cost : cost;
    const struct rp_rate_picture picture = {.type = type,
                                            .complexity = own_cost,

                                            .expected_cost = own_cost,
                                            .fill_s = *fill_s,
                                            .room_s = BUFFER_S - *fill_s,
                                            .fastest = FASTEST};
    const double most = rp_rate_law_most(law, &picture);
    const double base = law->picture_count == 0 ? own_cost / most : rp_rate_law_base(law, &picture);
    const double bits = fmin(own_cost / base, most);

    rp_rate_law_add(law, &picture, own_cost / bits, bits);
    *fill_s = fmin(BUFFER_S, *fill_s - bits / BPS + FASTEST * picture_s);
    return bits;
}

/* Sets which part of the rate each scene had, but for its first second; returns the mean of all. */
static double
scenes_code(const struct scene *scenes, int count, double *parts)
{
    struct rp_rate_law law = stream_law(RP_RATE_VBR, FPS, PERIOD, 0);
    double fill_s = 0.75 * BUFFER_S;
    double sum = 0;

    law.aim.buffer_s = BUFFER_S;
    law.aim.block_count = 900;
    for (int i = 0; i < count; i++) {
        const int pictures = (int)(scenes[i].seconds * FPS);
        double later = 0;
        for (int picture = 0; picture < pictures; picture++) {
            const double bits = code_picture(&law, scenes[i].cost, &fill_s);
            sum += bits;
            later += picture >= FPS ? bits : 0;
        }
        parts[i] = later / BPS / (scenes[i].seconds - 1);
    }
    return sum * FPS / BPS / law.picture_count;
}

static bool
is_within(const char *what, double value, double least, double most)
{
    printf("%s: %.3f of the rate\n", what, value);
    if (value >= least && value <= most)
        return true;
    fprintf(stderr, "FAILED: not from %.3f to %.3f\n", least, most);
    return false;
}

int
main(void)
{
    static const struct scene even[] = {{10, 1e5}};
    static const struct scene early[] = {{5, 1e5}, {4, 8e5}, {8, 1e5}};
    static const struct scene late[] = {{25, 1e5}, {5, 8e5}, {10, 1e5}};
    double parts[3];
    bool is_right = is_within("one scene", scenes_code(even, 1, parts), 0.97, 1.03);

    is_right &= is_within("an early hard scene, in all", scenes_code(early, 3, parts), 0.94, 1.05);
    is_right &= is_within("early hard scene", parts[1], 1.05, 1.5);
    is_right &= is_within("a late hard scene, in all", scenes_code(late, 3, parts), 0.97, 1.03);
    is_right &= is_within("late hard scene", parts[1], 1.4, 1.9);
    return !is_right;
}
