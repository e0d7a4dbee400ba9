/* SPDX-License-Identifier: MIT */
/* How a handler goes on to the next operation: by a jump, where the compiler makes one.
 */
#ifndef RP_COMPUTE_EXEC_TAIL_H
#define RP_COMPUTE_EXEC_TAIL_H

#if defined(__clang__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && \
    __has_attribute(musttail) && !defined(RP_NO_TAIL)
#define RP_MUSTTAIL __attribute__((musttail))
#define RP_GO(op) ((op)->fn((op), R, x))
#elif defined(__OPTIMIZE__) && !defined(RP_NO_TAIL)
#define RP_MUSTTAIL /* gcc makes it a jump; where not, calls nest as deep as the program is long */
#define RP_GO(op) ((op)->fn((op), R, x))
#else
#define RP_MUSTTAIL
#define RP_GO(op) (op)
#endif

#endif
