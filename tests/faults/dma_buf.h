/* SPDX-License-Identifier: MIT */
/* What the kernel's dma-buf interfaces do while a test runs, and what was asked of them.
 */
#ifndef RP_TESTS_FAULTS_DMA_BUF_H
#define RP_TESTS_FAULTS_DMA_BUF_H

#include <stdatomic.h>
#include <stdbool.h>

struct dma_buf_kernel {
    atomic_bool has_udmabuf;
    atomic_int create_errno; /* of UDMABUF_CREATE; 0: it works */
    atomic_int sync_errno;   /* of DMA_BUF_IOCTL_SYNC; 0: it works */
    atomic_int interrupted;  /* so many syncs fail with EINTR first */
    atomic_int start_count;  /* syncs that worked */
    atomic_int end_count;
};

/* The shim's; found with dlsym. */
struct dma_buf_kernel *dma_buf_kernel(void);

#endif
