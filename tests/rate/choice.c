/* SPDX-License-Identifier: MIT */
/* Which law answers for which rate and which pictures.
 */
#include "stream.h"

#include "test.h"

static const char *
chosen(const struct rp_rate_law *law)
{
    return rp_rate_law_chosen(law)->name;
}

/* One quantiser has no room in a small buffer, nor where few pictures fill a window. */
static void
short_periods_have_one_quantiser_where_windows_stand_it(void)
{
    struct rp_rate_law law = stream_law(RP_RATE_CBR, 25, 12, 0);

    REQUIRE(strcmp(chosen(&law), "one quantiser, constant") == 0);
    law.aim.buffer_s = 1;
    REQUIRE(strcmp(chosen(&law), "one quantiser, constant") == 0);
    law.aim.picture_s = 0.2;
    REQUIRE(strcmp(chosen(&law), "one quantiser, constant") == 0);
    law.aim.picture_s = 0.25;
    REQUIRE(strcmp(chosen(&law), "recent costs") == 0);
    law.aim.picture_s = 0.04;
    law.aim.buffer_s = 0.3;
    REQUIRE(strcmp(chosen(&law), "recent costs") == 0);
}

static void
long_periods_are_planned_by_windows(void)
{
    struct rp_rate_law law = stream_law(RP_RATE_CBR, 25, 60, 0);

    REQUIRE(strcmp(chosen(&law), "windows ahead") == 0);
    law.aim.picture_s = 0.2;
    REQUIRE(strcmp(chosen(&law), "recent costs") == 0);
    law.aim.picture_s = 0.04;
    law.aim.slack = 0.7; /* one layer of several */
    REQUIRE(strcmp(chosen(&law), "recent costs") == 0);
}

static void
few_announced_b_pictures_have_one_quantiser(void)
{
    struct rp_rate_law law = stream_law(RP_RATE_CBR, 25, 60, 2);

    REQUIRE(strcmp(chosen(&law), "one quantiser, constant") == 0);
    law = stream_law(RP_RATE_CBR, 25, 60, 7);
    REQUIRE(strcmp(chosen(&law), "recent costs") == 0);
}

static void
variable_rates_have_one_quantiser_but_for_layers(void)
{
    struct rp_rate_law law = stream_law(RP_RATE_VBR, 25, 60, 2);

    REQUIRE(strcmp(chosen(&law), "one quantiser, variable") == 0);
    law.aim.slack = 0.7;
    REQUIRE(strcmp(chosen(&law), "recent costs") == 0);
}

int
main(void)
{
    RUN(short_periods_have_one_quantiser_where_windows_stand_it);
    RUN(long_periods_are_planned_by_windows);
    RUN(few_announced_b_pictures_have_one_quantiser);
    RUN(variable_rates_have_one_quantiser_but_for_layers);
    return 0;
}
