/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens x264 so that one context serves constant QP and rate control, P and B, with every
 * reference structure.
 */
#include "context.h"

#include "glue/intra_x9.h"

#include "reelpipe/cpu.h"
#include "util/alloc.h"

#include <stdatomic.h>

#define VIEWS_SCOPE VK_SYSTEM_ALLOCATION_SCOPE_OBJECT

static const char *const presets[RP_X264_QUALITY_LEVELS] = {
    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower",
};

/* cpuid leaves a virtual machine, which takes longer than a small picture's slice. */
static uint32_t
cpu_detect(void)
{
    /* The one cached value of the process; every thread computes the same. */
    static atomic_uint_fast64_t cached;
    const uint64_t is_known = (uint64_t)1 << 32;
    uint64_t value = atomic_load_explicit(&cached, memory_order_relaxed);
    if (!(value & is_known)) {
        value = is_known | x264_cpu_detect();
        atomic_store_explicit(&cached, value, memory_order_relaxed);
    }
    return (uint32_t)value;
}

/* CPU features for x264_param_t::cpu: this machine's, masked by REELPIPE_CPU. */
static uint32_t
cpu_flags(void)
{
    uint32_t cpu = cpu_detect();
    const uint32_t flags = rp_cpu_flags();
#if ARCH_X86 || ARCH_X86_64
    if (!(flags & RP_CPU_X86_64_V4))
        cpu &= ~X264_CPU_AVX512;
    if (!(flags & RP_CPU_X86_64_V3))
        cpu &= ~(X264_CPU_AVX | X264_CPU_AVX2 | X264_CPU_FMA3 | X264_CPU_BMI1 | X264_CPU_BMI2);
    if (!(flags & RP_CPU_X86_64_V2))
        cpu = 0;
#else
    if (!(flags & RP_CPU_NEON))
        cpu = 0;
#endif
    return cpu;
}

/* The stride that frame_new() in x264's frame.c gives a picture. */
size_t
rp_x264_stride_B(uint32_t width_px)
{
    size_t align_B = NATIVE_ALIGN;
    size_t avoid_B = 1 << 10;
#if ARCH_X86 || ARCH_X86_64
    const uint32_t cpu = cpu_flags();
    if (cpu & (X264_CPU_CACHELINE_64 | X264_CPU_AVX512))
        align_B = 64;
    else if (cpu & (X264_CPU_CACHELINE_32 | X264_CPU_AVX))
        align_B = 32;
    else
        align_B = 16;
#elif ARCH_PPC
    avoid_B = 1 << 9;
#endif
    size_t stride_B = ALIGN(ALIGN((size_t)width_px, 16) + PADH2, align_B);
    if (stride_B % avoid_B == 0)
        stride_B += align_B;
    return stride_B;
}

static void
no_log(void *priv, int level, const char *format, va_list args)
{
    (void)priv;
    (void)level;
    (void)format;
    (void)args;
}

static void
params_init_rate(x264_param_t *p, int *preset_aq_mode)
{
    /* Average bitrate is the one method that leaves every table and map in place; constant QP
     * is then a matter of saying the QP of each picture. */
    p->rc.i_rc_method = X264_RC_ABR;
    p->rc.i_bitrate = 5000;
    p->rc.i_vbv_max_bitrate = 0;
    p->rc.i_vbv_buffer_size = 0;
    p->rc.i_qp_min = 0;
    p->rc.i_qp_max = QP_MAX;
    p->rc.b_mb_tree = 0;
    p->rc.i_lookahead = 0;
    /* x264 gives source frames room for QP offsets only with adaptive quantisation. */
    *preset_aq_mode = p->rc.i_aq_mode;
    p->rc.i_aq_mode = X264_AQ_VARIANCE;
    p->rc.f_aq_strength = 1.0f;
}

static bool
params_init(x264_param_t *p, const struct rp_x264_config *config, int *preset_aq_mode)
{
    if (x264_param_default_preset(p, presets[config->quality_level], "zerolatency") < 0)
        return false;
    p->cpu = cpu_flags();
    p->pf_log = no_log;
    p->i_log_level = X264_LOG_NONE; /* this also switches off statistics per macroblock */
    p->i_width = (int)config->width_px;
    p->i_height = (int)config->height_px;
    p->i_csp = X264_CSP_NV12;
    p->i_level_idc = config->level_idc;
    p->b_vfr_input = 0;
    p->i_threads = 1;
    p->b_sliced_threads = 0;
    p->i_lookahead_threads = 1;
    p->i_sync_lookahead = 0;
    p->i_keyint_max = X264_KEYINT_MAX_INFINITE;
    p->i_scenecut_threshold = 0;
    p->i_frame_reference = RP_H264_MAX_REFS;
    p->i_dpb_size = RP_H264_MAX_REFS;
    /* Two B pictures and a pyramid: list 1 gets its arrays. */
    p->i_bframe = 2;
    p->i_bframe_adaptive = X264_B_ADAPT_NONE;
    p->i_bframe_pyramid = X264_B_PYRAMID_NORMAL;
    p->b_cabac = config->has_cabac;
    p->b_constrained_intra = config->has_constrained_intra;
    p->b_deblocking_filter = 1;
    p->b_full_recon = 0;
    p->b_annexb = 1;
    p->b_repeat_headers = 0;
    p->b_aud = 0;
    p->b_stitchable = 1;
    p->rc.psz_stat_in = p->rc.psz_stat_out = NULL; /* x264 would copy the names */
    p->analyse.i_direct_mv_pred = X264_DIRECT_PRED_SPATIAL;
    p->analyse.b_weighted_bipred = config->has_implicit_weights;
    p->analyse.i_weighted_pred = X264_WEIGHTP_NONE;
    p->analyse.b_transform_8x8 = config->has_transform_8x8;
    p->analyse.i_chroma_qp_offset = config->chroma_qp_offset;
    /* Psychovisual tuning moves chroma_qp_index_offset behind our back. */
    p->analyse.b_psy = 0;
    p->analyse.f_psy_rd = 0;
    p->analyse.f_psy_trellis = 0;
    p->analyse.b_psnr = 0;
    p->analyse.b_ssim = 0;
    params_init_rate(p, preset_aq_mode);
    return true;
}

/* x264 opens with room for the worst picture; ours grows when a picture wants it. */
static bool
context_shrink_buffers(x264_t *h)
{
    const int row_B = 2500 * h->mb.i_mb_width; /* bitstream_check_buffer() wants this much free */
    const int size_B = 2 * row_B + 16 * h->mb.i_mb_count;
    if (size_B >= h->out.i_bitstream)
        return true;

    uint8_t *bitstream = x264_malloc(size_B);
    uint8_t *nal_buffer = x264_malloc(64);
    if (!bitstream || !nal_buffer) {
        x264_free(bitstream);
        x264_free(nal_buffer);
        return false;
    }
    x264_free(h->out.p_bitstream);
    h->out.p_bitstream = bitstream;
    h->out.i_bitstream = size_B;
    x264_free(h->nal_buffer);
    h->nal_buffer = nal_buffer;
    h->nal_buffer_size = 64;
    return true;
}

/* x264 has motion caches for two references of list 1. */
static bool
context_add_l1_mvr(struct rp_x264_context *ctx)
{
    x264_t *h = ctx->h;
    const size_t entries = (size_t)h->mb.i_mb_count + 1 + 64; /* one in front, as x264's own */
    const size_t size_B = (RP_H264_MAX_L1_REFS - 2) * entries * 2 * sizeof(int16_t);

    ctx->more_l1_mvr = x264_malloc((int64_t)size_B);
    if (!ctx->more_l1_mvr)
        return false;
    memset(ctx->more_l1_mvr, 0, size_B);
    for (size_t i = 2; i < RP_H264_MAX_L1_REFS; i++)
        h->mb.mvr[1][i] = (int16_t(*)[2])(ctx->more_l1_mvr + (i - 2) * entries * 2) + 1;
    return true;
}

/* x264's own row logic of frame threads, without its threads: analysis waits for the rows of the
 * references that it may read, filtering tells of the rows that are done. It bounds vertical
 * motion, so it is on for each picture: bytes do not depend on what overlaps. */
static void
context_wait_by_rows(x264_t *h)
{
    const int wanted = h->param.analyse.i_me_range + 64;
    int range = (wanted & ~15) + (-X264_THREAD_HEIGHT & 15);
    if (range < wanted)
        range += 16;
    h->param.analyse.i_mv_range_thread = range;
    h->param.b_deterministic = 1;
    h->i_thread_frames = 2;
    h->param.i_threads = 2;
    h->i_threadslice_start = 0;
    h->i_threadslice_end = h->mb.i_mb_height;
}

struct rp_x264_context *
rp_x264_context_create(const struct rp_x264_config *config, const struct rp_x264_hooks *hooks)
{
    struct rp_x264_context *ctx = rp_zalloc(NULL, sizeof(*ctx), 64, VIEWS_SCOPE);
    if (!ctx)
        return NULL;
    ctx->config = *config;
    ctx->hooks = hooks;
    x264_param_t params;
    if (params_init(&params, config, &ctx->aq_mode))
        ctx->h = rp_x264_open(&params);
    if (!ctx->h)
        goto fail;
    ctx->h->api = ctx;
    ctx->h->frames.b_have_lowres = 0;
    ctx->unkept = ctx->h->fdec;
    ctx->ip_offset = ctx->h->mb.ip_offset;
    ctx->x264_strength = ctx->h->loopf.deblock_strength;
    memcpy(ctx->x264_avg, ctx->h->mc.avg, sizeof(ctx->x264_avg));
    ctx->views = rp_zalloc(NULL, (RP_X264_VIEW_COUNT + 1) * sizeof(*ctx->views), 64, VIEWS_SCOPE);
    if (!ctx->views || !context_shrink_buffers(ctx->h) || !context_add_l1_mvr(ctx))
        goto fail;
    context_wait_by_rows(ctx->h);
    rp_x264_intra_x9_init(ctx);
    return ctx;

fail:
    rp_x264_context_destroy(ctx);
    return NULL;
}

void
rp_x264_context_destroy(struct rp_x264_context *ctx)
{
    if (!ctx)
        return;
    x264_t *h = ctx->h;
    ctx->hooks->release(ctx);
    if (h) {
        if (ctx->source)
            x264_frame_delete(ctx->source);
        if (ctx->lowres_source)
            x264_frame_delete(ctx->lowres_source);
        x264_free(ctx->more_l1_mvr);
        x264_free(ctx->absent_refs);
        h->i_thread_frames = h->param.i_threads = 1;
        h->fdec = ctx->unkept;
        h->i_ref[0] = h->i_ref[1] = 0;
        rp_x264_close(h);
    }
    rp_free(NULL, ctx->views);
    rp_free(NULL, ctx);
}

x264_frame_t *
rp_x264_context_make_source(struct rp_x264_context *ctx, bool has_lowres)
{
    x264_t *h = ctx->h;
    const int aq_mode = h->param.rc.i_aq_mode;
    const int had_lowres = h->frames.b_have_lowres;

    /* x264 looks here for what a frame is to hold; QP offsets are always needed. */
    h->frames.b_have_lowres = has_lowres;
    h->param.rc.i_aq_mode = X264_AQ_VARIANCE;
    x264_frame_t *frame = x264_frame_pop_unused(h, 0);
    h->frames.b_have_lowres = had_lowres; /* the picture at hand may have vectors of its own */
    h->param.rc.i_aq_mode = aq_mode;
    return frame;
}

bool
rp_x264_context_need_unkept(struct rp_x264_context *ctx)
{
    if (!ctx->unkept)
        ctx->unkept = x264_frame_pop_unused(ctx->h, 1);
    return ctx->unkept;
}

bool
rp_x264_context_need_absent_refs(struct rp_x264_context *ctx)
{
    const size_t size_B = 4 * (size_t)ctx->h->mb.i_mb_count;

    if (!ctx->absent_refs) {
        ctx->absent_refs = x264_malloc((int64_t)size_B);
        if (ctx->absent_refs)
            memset(ctx->absent_refs, -1, size_B);
    }
    return ctx->absent_refs;
}

bool
rp_x264_config_wants_half_pel(const struct rp_x264_config *config)
{
    return config->quality_level > 0;
}

bool
rp_x264_config_is_equal(const struct rp_x264_config *a, const struct rp_x264_config *b)
{
    return a->width_px == b->width_px && a->height_px == b->height_px &&
           a->level_idc == b->level_idc && a->chroma_qp_offset == b->chroma_qp_offset &&
           a->quality_level == b->quality_level && a->has_cabac == b->has_cabac &&
           a->has_transform_8x8 == b->has_transform_8x8 &&
           a->has_constrained_intra == b->has_constrained_intra &&
           a->has_implicit_weights == b->has_implicit_weights;
}
