/* SPDX-License-Identifier: MIT */
/* The kernels for x86-64-v3 (src/CMakeLists.txt gives this file its instruction set).
 */
#include "video/rgb/dsp.h"

#if defined(__AVX2__)
#include "video/rgb/dsp_rows.h"

void
rp_rgb_dsp_init_v3(struct rp_rgb_dsp *dsp)
{
    *dsp = dsp_rows;
}
#else
void
rp_rgb_dsp_init_v3(struct rp_rgb_dsp *dsp)
{
}
#endif
