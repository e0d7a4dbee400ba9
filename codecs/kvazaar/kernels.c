/* SPDX-License-Identifier: MIT */
#include "codecs/kvazaar/kernels.h"

#include "reelpipe/cpu.h"

void
rp_kvazaar_kernels_init(uint32_t cpu_flags)
{
    if (cpu_flags & RP_CPU_X86_64_V3) {
        rp_kvazaar_dct_init_v3();
        rp_kvazaar_quant_init_v3();
        rp_kvazaar_sao_init_v3();
    }
}
