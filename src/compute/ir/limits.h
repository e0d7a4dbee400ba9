/* SPDX-License-Identifier: MIT */
/* What one kernel may cost to compile: hostile modules stop here.
 */
#ifndef RP_COMPUTE_IR_LIMITS_H
#define RP_COMPUTE_IR_LIMITS_H

#include <stddef.h>

#define IR_MAX_ARENA_B ((size_t)1 << 29)
#define IR_MAX_INSTRS 1500000u
#define IR_MAX_DEPTH 200u        /* constructs and calls inside each other */
#define IR_MAX_FLAT 65536u       /* scalars of one value or promoted variable */
#define IR_MAX_LANE_SLOTS 65536u /* 8-byte slots of lane memory */
#define IR_MAX_LEVELS 250u       /* mask levels */
#define IR_MAX_REGISTER_B (64u << 20)
#define IR_CHUNK_LANES 512u
#define IR_MAX_PACKED_LANES 128u     /* of workgroups that run side by side */
#define IR_MAX_CHUNK_B 32768u        /* of registers, or of workgroup memory: the L1 cache */
#define IR_MAX_LANE_MEMORY_B 262144u /* of a chunk: part of the second-level cache */
#define IR_CONST_BUCKETS 1024u       /* to begin with; as many constants at most */
#define IR_MAX_TRIPS 64u             /* of a loop that is unrolled */
#define IR_MAX_UNROLLED 1280u        /* instructions of one unrolled loop */
#define IR_MAX_UNROLLED_ALL 8192u
#define IR_MAX_PROMOTED 256u /* slots of lane memory that become values */

#endif
