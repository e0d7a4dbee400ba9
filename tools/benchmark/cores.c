/* SPDX-License-Identifier: MIT */
/* What work costs on many processors that is too small for them, and submissions and waits of many
 * threads.
 *
 * usage: bench_cores [ROUNDS [PART...]]
 */
#include "cores.h"

int
main(int argc, char **argv)
{
    static const struct cores_part parts[] = {
        {"small", cores_small_work},
        {"submissions", cores_submissions},
        {"waiters", cores_waiters},
    };
    return cores_run_parts(argc, argv, parts, sizeof(parts) / sizeof(parts[0]));
}
