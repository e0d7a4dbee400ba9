/* SPDX-License-Identifier: MIT */
/* How many processors a device that is made now believes to have, whatever the machine has. For
 * programs whose symbols the driver finds (ENABLE_EXPORTS).
 */
#ifndef RP_TESTS_VIDEO_SAID_PROCESSORS_H
#define RP_TESTS_VIDEO_SAID_PROCESSORS_H

#include <stdatomic.h>

extern atomic_uint said_processors;

#endif
