/* SPDX-License-Identifier: MIT */
/* The memory of kvazaar, which never asks whether there was any: what it calls is left, and all it
 * took is freed at once.
 *
 * Its files are compiled with malloc() and the like, and fprintf(), named as below.
 */
#ifndef RP_CODECS_KVAZAAR_HEAP_H
#define RP_CODECS_KVAZAAR_HEAP_H

#include "util/compiler.h"

#include <stdbool.h>
#include <stddef.h>

struct rp_kvazaar_block;

/* Zeroed: empty. One thread at a time. */
struct rp_kvazaar_heap {
    struct rp_kvazaar_block *blocks; /* owned */
};

/* Frees whatever is left. */
void rp_kvazaar_heap_finish(struct rp_kvazaar_heap *heap);

/* Calls function(ctx), which and all that it calls take memory from the heap. False when there was
 * none: then it was left where it stood, and what it worked on is good for nothing but
 * rp_kvazaar_heap_finish(). */
bool rp_kvazaar_heap_run(struct rp_kvazaar_heap *heap, void (*function)(void *ctx),
                         void *ctx) RP_MUST_CHECK;

void *rp_kvazaar_malloc(size_t size_B);
void *rp_kvazaar_calloc(size_t count, size_t size_B);
void *rp_kvazaar_realloc(void *memory, size_t size_B);
void rp_kvazaar_free(void *memory);
char *rp_kvazaar_strdup(const char *text);

/* What kvazaar prints, which is for the user of a program: nothing happens. */
int rp_kvazaar_fprintf(void *file, const char *format, ...);

#endif
