/* SPDX-License-Identifier: MIT */
/* Handlers that are compiled once: their work is lane by lane anyway. */
#ifndef RP_COMPUTE_EXEC_COMMON_H
#define RP_COMPUTE_EXEC_COMMON_H

#include "compute/exec/exec.h"
#include "compute/exec/op_list.h"

#define RP_DECLARE_COMMON(name) rp_handler rp_common_##name;
RP_EXEC_COMMON(RP_DECLARE_COMMON)
#undef RP_DECLARE_COMMON

#endif
