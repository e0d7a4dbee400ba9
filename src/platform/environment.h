/* SPDX-License-Identifier: MIT */
/* The variables of the process' environment.
 */
#ifndef RP_PLATFORM_ENVIRONMENT_H
#define RP_PLATFORM_ENVIRONMENT_H

/* A variable's value, which stays the environment's; NULL when it is not set, or when the process
 * has elevated privileges and must not listen to whoever started it. */
const char *rp_environment_get(const char *name);

#endif
