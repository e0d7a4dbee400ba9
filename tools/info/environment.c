/* SPDX-License-Identifier: MIT */
#include "environment.h"

#include <stdio.h>
#include <string.h>

#define LINE_CHARS 80
#define NAME_CHARS 31

/* tools/checks/README.md has the same rows; the test headers.environment compares both with the
 * source files that read the variables. */
const struct info_variable info_variables[] = {
    {"REELPIPE_LOG", true,
     "What the driver says on the standard error: error, warning, info or debug. It says nothing "
     "by default."},
    {"REELPIPE_CPU", true,
     "A mask of CPU features that the driver may use; 0 is portable C. The functions that kvazaar "
     "brings obey 0 alone."},
    {"REELPIPE_DEBUG", true,
     "The value ir prints the lane IR of each compute pipeline when it is made."},
    {"REELPIPE_TIMEOUT", true,
     "Milliseconds after which a dispatch is cut off and the device is lost. Without it a dispatch "
     "may take for ever."},
    {"REELPIPE_WAVEFRONTS", true,
     "H.265 encode: 1 has the rows of all pictures coded side by side, for some four bytes a row "
     "of 64 lines; 0 only of those whose PPS says so. By default also of those that are tuned for "
     "low latency in sessions that allow parameters to be optimized."},
    {"REELPIPE_SPECIALIZE", true,
     "1 compiles variants of compute kernels for values that push constants and uniform blocks "
     "have "
     "again and again, and keeps those that are faster (src/compute/variants.h). Not with captures "
     "and profiles."},
    {"REELPIPE_CAPTURE", true,
     "A folder, which must not be there yet: what each device does is captured in it (the second "
     "device's folder is FOLDER.1), for reelpipe-replay. It holds what the application's memory "
     "held."},
    {"REELPIPE_CAPTURE_SUBMITS", true,
     "Which submissions are captured, counted from 0: A-B, both included (default: all). Video "
     "before them is captured too, because what comes later depends on it."},
    {"REELPIPE_CAPTURE_ZSTD", true,
     "The level at which captures are compressed where libzstd is installed: 1 to 19 (default: not "
     "at all, which is faster)."},
    {"REELPIPE_CAPTURE_FLUSH", true,
     "1 has each submission wait until all that was captured before it runs is written, so that "
     "the one that kills the process is in the capture."},
    {"REELPIPE_PROFILE", true,
     "A folder, which must not be there yet: what the dispatches of each device did is counted, "
     "and written there when the device is destroyed (the second device's folder is FOLDER.1), for "
     "reelpipe-report."},
    {"REELPIPE_PROFILE_OPERATIONS", true,
     "1 has a profile count the interpreter's operations instead of lanes."},
    {"REELPIPE_PROFILE_ACCESSES", true,
     "1 has a profile look at all accesses to memory, too: how they lie, and for races, what is "
     "out of bounds and what nobody wrote. Dispatches run on one thread and take much longer."},
    {"REELPIPE_PROFILE_RACES", true,
     "0 has a profile with REELPIPE_PROFILE_ACCESSES not look for races and for what nobody wrote, "
     "which takes most of its time."},
    {"REELPIPE_PROFILE_REPACK", true,
     "1 has a profile with REELPIPE_PROFILE_ACCESSES run each pipeline's largest dispatch again "
     "with "
     "its invocations sorted by what they do, and count what that would gain."},
    {"REELPIPE_QUIRKS", true,
     "0 switches off what is done for single applications (src/quirks/table.c)."},
    {"REELPIPE_VIDEO_LAYER", true,
     "1 has the loader insert the layer that lends our video queues to other devices "
     "(icd/layer/)."},
    {"REELPIPE_VIDEO_LAYER_DISABLE", true, "1 keeps that layer out, whatever else asks for it."},
    {"REELPIPE_DEPS", false,
     "tools/setup and CMake: the folder of headers and sources that are fetched (default: .deps). "
     "A new build folder remembers it."},
    {"REELPIPE_BUILD", false,
     "tools/client-root, tools/bench, tests/clients: the build folder to use (default: build)."},
    {"REELPIPE_CLIENTS", false,
     "tools/client-root, tools/cross: where the root folders of newer Debians are kept (default: "
     "~/.cache/reelpipe)."},
    {"REELPIPE_GSTREAMER", false,
     "tools/client-root forky --gstreamer: a source tree of gst-plugins-bad to build instead of "
     "Debian's."},
    {"REELPIPE_CTS", false,
     "tools/test: the path of the Khronos CTS (deqp-vk), a part of which is run then; with --long "
     "all that concerns the driver."},
    {"REELPIPE_LOADER", false,
     "tools/cross windows --smoke: the Khronos loader's vulkan-1.dll, to go through as well."},
    {"REELPIPE_TEST", false,
     "The programs of tests/: they run only those of their tests whose names contain this."},
    {"REELPIPE_TEST_DEVICE", false,
     "tests/vk: what the device's name begins with (default: Reelpipe). tests/layer can be run "
     "over a "
     "GPU so."},
    {"REELPIPE_TEST_FINDINGS", false,
     "tests/compute: set, its programs look at each kernel that they run as a profile does, and "
     "say "
     "what they find."},
    {"REELPIPE_TEST_VARIANTS", false,
     "tests/compute: set, its programs run each kernel compiled with the values that its push "
     "constants and uniform blocks have."},
    {"REELPIPE_TEST_LOWER", false,
     "tests/layer: single gives the lower device one queue; h264 gives it H.264."},
    {"REELPIPE_TEST_LOWER_FAILS", false,
     "tests/layer: lost N: the N-th submission finds the lower device lost; memory N: it fails."},
    {"REELPIPE_TEST_LONG", false,
     "tests/faults: seconds that 64 sessions run; instances come and go 10,000 times then."},
    {"REELPIPE_TEST_KEEP", false,
     "tests/compute/random: also keeps the kernels that the compiler refused."},
    {"REELPIPE_FUZZ_SEED", false,
     "tools/fuzz: the seed of libFuzzer's numbers (default: 1). A seed gives the same inputs each "
     "time, apart from what threads do; 0 draws others until the time is over."},
    {"REELPIPE_FUZZ_SECONDS", false,
     "The programs of tests/fuzz without libFuzzer: how many seconds they draw inputs, from a seed "
     "of the moment."},
};
const uint32_t info_variable_count = sizeof(info_variables) / sizeof(info_variables[0]);

/* The rest of a line whose first column ends at NAME_CHARS, and as many more as text needs. */
static void
print_wrapped(const char *text)
{
    size_t column = NAME_CHARS;

    while (*text) {
        const size_t length = strcspn(text, " ");
        if (column + 1 + length > LINE_CHARS) {
            printf("\n%*s", NAME_CHARS, "");
            column = NAME_CHARS;
        }
        printf(" %.*s", (int)length, text);
        column += 1 + length;
        text += length;
        text += *text == ' ';
    }
    printf("\n");
}

static void
print_group(const char *title, bool is_of_driver)
{
    printf("\n%s\n", title);
    for (uint32_t i = 0; i < info_variable_count; i++) {
        if (info_variables[i].is_of_driver != is_of_driver)
            continue;
        printf("  %-*s", NAME_CHARS - 2, info_variables[i].name);
        print_wrapped(info_variables[i].meaning);
    }
}

void
info_print_variables(void)
{
    print_group(
        "Environment variables of the driver (where a program has elevated privileges, the\n"
        "driver ignores them):",
        true);
    print_group("Environment variables of the repository's tools and tests:", false);
}
