/* SPDX-License-Identifier: MIT */
/* WaitOnAddress().
 */
#include "platform/word.h"

#include <windows.h>

void
rp_word_sleep(atomic_uint *word, unsigned seen)
{
    (void)WaitOnAddress(word, &seen, sizeof(seen), INFINITE);
}

void
rp_word_wake_one(atomic_uint *word)
{
    WakeByAddressSingle(word);
}

void
rp_word_wake_all(atomic_uint *word)
{
    WakeByAddressAll(word);
}
