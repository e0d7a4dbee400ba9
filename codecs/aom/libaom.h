/* SPDX-License-Identifier: MIT */
/* libaom's private structures, for the files that read or write them.
 */
#ifndef RP_CODECS_AOM_LIBAOM_H
#define RP_CODECS_AOM_LIBAOM_H

#ifndef NDEBUG
#error "libaom is built with NDEBUG, and its structures have other members without"
#endif

#include "config/aom_config.h"
#include "config/aom_scale_rtcd.h"

#include "aom/aom_encoder.h"
#include "aom/aomcx.h"
#include "aom_dsp/psnr.h"
#include "av1/common/av1_common_int.h"
#include "av1/common/cdef.h"
#include "av1/common/quant_common.h"
#include "av1/common/reconinter.h"
#include "av1/common/thread_common.h"
#include "av1/encoder/encode_strategy.h"
#include "av1/encoder/encodemv.h"
#include "av1/encoder/encoder.h"
#include "av1/encoder/encoder_utils.h"
#include "av1/encoder/ethread.h"
#include "av1/encoder/mv_prec.h"
#include "av1/encoder/nonrd_opt.h"
#include "av1/encoder/picklpf.h"
#include "av1/encoder/ratectrl.h"
#include "av1/encoder/segmentation.h"

#endif
