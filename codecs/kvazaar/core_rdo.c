/* SPDX-License-Identifier: MIT */
/* kvazaar's rdo.c, unchanged but for the context of sig_coeff_flag, which its search for the best
 * levels asks for each coefficient: sig_coeff.h has that as a table.
 */
#include "codecs/kvazaar/core.h"
#include "codecs/kvazaar/sig_coeff.h"

#include "strategies/../context.h" /* kvazaar's, not the one beside this */

#undef kvz_context_get_sig_ctx_inc /* another name, of 10 bits */
#define kvz_context_get_sig_ctx_inc rp_kvazaar_sig_coeff_context
#include "rdo.c"
