/* SPDX-License-Identifier: MIT */
/* What comes before a picture in its buffer counts when it is of the same access unit alone.
 */
#include "video/h264/preceding.h"

#include "test.h"

#include <string.h>

static const uint8_t delimiter_and_sei[] = {0, 0, 0, 1, 9, 0xf0, 0, 0, 1, 6, 1, 1, 0, 0x80};

static void
units_that_open_an_access_unit_are_counted(void)
{
    static const uint8_t sets[] = {0, 0, 1, 0x67, 100, 0, 40, 0, 0, 0, 1, 0x68, 0xce, 0x0f};
    REQUIRE_EQ(rp_h264_preceding_B(delimiter_and_sei, sizeof(delimiter_and_sei)),
               sizeof(delimiter_and_sei));
    REQUIRE_EQ(rp_h264_preceding_B(sets, sizeof(sets)), sizeof(sets));
}

static void
other_pictures_are_not(void)
{
    uint8_t bytes[sizeof(delimiter_and_sei) + 5];
    memcpy(bytes, delimiter_and_sei, sizeof(delimiter_and_sei));
    memcpy(bytes + sizeof(delimiter_and_sei), (const uint8_t[]){0, 0, 1, 0x65, 0x88}, 5);
    REQUIRE_EQ(rp_h264_preceding_B(bytes, sizeof(bytes)), 0);
    REQUIRE_EQ(rp_h264_preceding_B(bytes + sizeof(delimiter_and_sei), 5), 0);
}

static void
bytes_of_no_stream_are_not(void)
{
    static const uint8_t junk[16] = {0, 0, 0, 0, 1, 9, 0xf0};
    static const uint8_t gap[] = {0, 0, 1, 9, 0xf0, 0, 0, 0, 0, 0xf0};
    static const uint8_t rest[] = {0, 0, 1, 9, 0xf0, 0};
    static const uint8_t large[1 << 16] = {0, 0, 1, 9, 0xf0, [(1 << 16) - 1] = 1};
    REQUIRE_EQ(rp_h264_preceding_B(junk, sizeof(junk)), 0);
    REQUIRE_EQ(rp_h264_preceding_B(gap, sizeof(gap)), 0);
    REQUIRE_EQ(rp_h264_preceding_B(rest, sizeof(rest)), 0);
    REQUIRE_EQ(rp_h264_preceding_B(large, sizeof(large)), 0); /* too many to be of one unit */
    for (size_t i = 0; i < 4; i++)
        REQUIRE_EQ(rp_h264_preceding_B(delimiter_and_sei, i), 0);
}

int
main(void)
{
    RUN(units_that_open_an_access_unit_are_counted);
    RUN(other_pictures_are_not);
    RUN(bytes_of_no_stream_are_not);
    return 0;
}
