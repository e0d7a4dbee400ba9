/* SPDX-License-Identifier: MIT */
/* The driver's build of kvazaar calls these for memory (KvazaarBuild.cmake): the peer has the
 * system's.
 */
#include <stdlib.h>
#include <string.h>

void *rp_kvazaar_malloc(size_t size_B);
void *rp_kvazaar_calloc(size_t count, size_t size_B);
void *rp_kvazaar_realloc(void *memory, size_t size_B);
void rp_kvazaar_free(void *memory);
char *rp_kvazaar_strdup(const char *text);
int rp_kvazaar_fprintf(void *file, const char *format, ...);

void *
rp_kvazaar_malloc(size_t size_B)
{
    return malloc(size_B);
}

void *
rp_kvazaar_calloc(size_t count, size_t size_B)
{
    return calloc(count, size_B);
}

void *
rp_kvazaar_realloc(void *memory, size_t size_B)
{
    return realloc(memory, size_B);
}

void
rp_kvazaar_free(void *memory)
{
    free(memory);
}

char *
rp_kvazaar_strdup(const char *text)
{
    return strdup(text);
}

int
rp_kvazaar_fprintf(void *file, const char *format, ...)
{
    (void)file;
    (void)format;
    return 0;
}
