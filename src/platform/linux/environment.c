/* SPDX-License-Identifier: MIT */
/* secure_getenv().
 */
#include "platform/environment.h"

#include <stdlib.h>

const char *
rp_environment_get(const char *name)
{
    return secure_getenv(name);
}
