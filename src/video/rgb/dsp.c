/* SPDX-License-Identifier: MIT */
/* The kernels for any CPU, and the choice.
 */
#include "video/rgb/dsp.h"

#include "video/rgb/dsp_rows.h"

#include "reelpipe/cpu.h"

void
rp_rgb_dsp_init(struct rp_rgb_dsp *dsp, uint32_t cpu_flags)
{
    *dsp = dsp_rows;
    if (cpu_flags & RP_CPU_X86_64_V3)
        rp_rgb_dsp_init_v3(dsp);
    if (cpu_flags & RP_CPU_NEON)
        rp_rgb_dsp_init_neon(dsp);
}
