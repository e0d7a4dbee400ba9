/* SPDX-License-Identifier: MIT */
/* Kernels over cores.
 */
#ifndef RP_BENCHMARK_COMPUTE_SCALING_H
#define RP_BENCHMARK_COMPUTE_SCALING_H

/* A plot for each of a few kernels. */
void bench_compute_scaling(void);

#endif
