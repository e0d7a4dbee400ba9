/* SPDX-License-Identifier: MIT */
/* Sleeping until a word of this process' memory is another one: what park.c and progress.c wait
 * with.
 */
#ifndef RP_PLATFORM_WORD_H
#define RP_PLATFORM_WORD_H

#include <stdatomic.h>

/* Sleeps while the word is seen, until a wake; like a wait for a condition it may return for no
 * reason. A wake between the caller's look at the word and the sleep is not missed. */
void rp_word_sleep(atomic_uint *word, unsigned seen);

/* Wakes those that sleep on the word, which may be gone by now. */
void rp_word_wake_one(atomic_uint *word);
void rp_word_wake_all(atomic_uint *word);

#endif
