/* SPDX-License-Identifier: MIT */
/* The video session: profile, capabilities, parameter sets, rate control.
 */
#ifndef RP_TOOLS_ENCODE_SESSION_H
#define RP_TOOLS_ENCODE_SESSION_H

#include "tools/encode/encoder_state.h"

/* Asks what the device can do, brings the settings down to it or ends the program, and makes the
 * session with its parameter sets. */
void session_create(struct encoder *enc);
void session_destroy(struct encoder *enc);

#endif
