/* SPDX-License-Identifier: MIT */
/* A packet in, a picture out: without frame threads libdav1d has decoded the one picture of a
 * packet when it has taken the packet.
 */
#include "codecs/dav1d/context.h"

#include "codecs/dav1d/copy.h"
#include "platform/signal_mask.h"
#include "util/alloc.h"

#include <errno.h>

static void
ignore_message(void *cookie, const char *format, va_list args)
{
}

static bool
instance_open(struct rp_dav1d_context *ctx, uint32_t thread_count)
{
    struct rp_dav1d_settings settings;
    ctx->lib->dav1d_default_settings(&settings);
    settings.n_threads = (int)RP_MIN(thread_count, RP_DAV1D_MAX_THREADS);
    settings.max_frame_delay = 1;
    settings.apply_grain = 0;
    settings.all_layers = 0;
    settings.frame_size_limit = RP_AV1_DECODE_MAX_WIDTH_PX * RP_AV1_DECODE_MAX_HEIGHT_PX;
    settings.allocator.cookie = &ctx->buffers;
    settings.allocator.alloc_picture = rp_dav1d_buffers_alloc_picture;
    settings.allocator.release_picture = rp_dav1d_buffers_release_picture;
    settings.logger.callback = ignore_message;

    const struct rp_signal_mask mask = rp_signals_block();
    const int error = ctx->lib->dav1d_open(&ctx->dav1d, &settings);
    rp_signals_restore(&mask);
    return error == 0;
}

struct rp_dav1d_context *
rp_dav1d_context_create(const struct rp_dav1d_library *lib, uint32_t thread_count)
{
    struct rp_dav1d_context *ctx =
        rp_zalloc(NULL, sizeof(*ctx), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!ctx)
        return NULL;
    ctx->lib = lib;
    if (!rp_dav1d_buffers_init(&ctx->buffers, lib->layout)) {
        rp_free(NULL, ctx);
        return NULL;
    }
    if (!instance_open(ctx, thread_count)) {
        rp_dav1d_context_destroy(ctx);
        return NULL;
    }
    return ctx;
}

void
rp_dav1d_context_destroy(struct rp_dav1d_context *ctx)
{
    if (!ctx)
        return;
    if (ctx->dav1d)
        ctx->lib->dav1d_close(&ctx->dav1d);
    rp_dav1d_buffers_finish(&ctx->buffers);
    rp_free(NULL, ctx);
}

void
rp_dav1d_context_reset(struct rp_dav1d_context *ctx)
{
    ctx->lib->dav1d_flush(ctx->dav1d);
    ctx->has_sequence_header = false;
}

/* The packet stays whose it is. */
static void
keep_packet(const uint8_t *data, void *cookie)
{
}

/* Takes a picture that is ready; false when there is none. *error_out: why, 0 when one is only not
 * there yet. */
static bool
take_picture(struct rp_dav1d_context *ctx, struct rp_dav1d_picture *out, int *error_out)
{
    *out = (struct rp_dav1d_picture){.data = {NULL}};
    const int error = ctx->lib->dav1d_get_picture(ctx->dav1d, out);
    *error_out = error == -EAGAIN ? 0 : error;
    return error == 0;
}

/* True with the picture in out; it is the caller's to release. */
static bool
decode_packet(struct rp_dav1d_context *ctx, const struct rp_dav1d_packet *packet,
              struct rp_dav1d_picture *out, int *error_out)
{
    const struct rp_dav1d_library *lib = ctx->lib;
    struct rp_dav1d_data data = {.data = NULL};
    *error_out = lib->dav1d_data_wrap(&data, packet->data, packet->size_B, keep_packet, NULL);
    if (*error_out)
        return false;

    int send_error = lib->dav1d_send_data(ctx->dav1d, &data);
    bool has_picture = take_picture(ctx, out, error_out);
    if (send_error == -EAGAIN && has_picture) {
        /* A picture was left from before; this packet's is the next one. */
        lib->dav1d_picture_unref(out);
        send_error = lib->dav1d_send_data(ctx->dav1d, &data);
        has_picture = take_picture(ctx, out, error_out);
    }
    if (data.size_B)
        lib->dav1d_data_unref(&data);
    if (has_picture && send_error == 0)
        return true;
    if (has_picture)
        lib->dav1d_picture_unref(out);
    if (send_error)
        *error_out = send_error;
    return false;
}

static enum rp_codec_status
status_of(const struct rp_dav1d_context *ctx, int error)
{
    if (ctx->buffers.is_out_of_memory || error == -ENOMEM)
        return RP_CODEC_NO_MEMORY;
    return ctx->buffers.is_unsupported ? RP_CODEC_UNSUPPORTED : RP_CODEC_FAILED;
}

static enum rp_codec_status
copy_with_grain(struct rp_dav1d_context *ctx, const struct rp_dav1d_picture *picture,
                const struct rp_picture *dst)
{
    struct rp_dav1d_picture with_grain = {.data = {NULL}};
    const int error = ctx->lib->dav1d_apply_grain(ctx->dav1d, &with_grain, picture);
    if (error)
        return status_of(ctx, error);
    rp_dav1d_copy(&with_grain, dst);
    ctx->lib->dav1d_picture_unref(&with_grain);
    return RP_CODEC_OK;
}

/* The bit depth of the job's outputs; 0: it has none. */
static uint32_t
output_bit_depth(const struct rp_decode_job *job)
{
    if (job->dst.plane[0].data)
        return job->dst.bit_depth;
    return job->dst_setup.plane[0].data ? job->dst_setup.bit_depth : 0;
}

enum rp_codec_status
rp_dav1d_context_decode(struct rp_dav1d_context *ctx, struct rp_dav1d_packet *packet,
                        const struct rp_av1_decode_job *job)
{
    enum rp_codec_status status = rp_dav1d_packet_make(packet, job, !ctx->has_sequence_header);
    if (status != RP_CODEC_OK)
        return status;

    const bool has_target = job->common.target.memory && !job->applies_film_grain;
    ctx->buffers.target_plane = has_target ? &job->common.dst.plane[0] : NULL;
    ctx->buffers.target = &job->common.target;
    ctx->buffers.bit_depth = output_bit_depth(&job->common);
    ctx->buffers.is_out_of_memory = ctx->buffers.is_unsupported = false;
    struct rp_dav1d_picture picture;
    int error;
    const bool is_decoded = decode_packet(ctx, packet, &picture, &error);
    ctx->buffers.target_plane = NULL;
    if (!is_decoded)
        return status_of(ctx, error);

    ctx->has_sequence_header = true;
    if (job->applies_film_grain && job->common.dst.plane[0].data)
        status = copy_with_grain(ctx, &picture, &job->common.dst);
    else
        rp_dav1d_copy(&picture, &job->common.dst);
    rp_dav1d_copy(&picture, &job->common.dst_setup);
    ctx->lib->dav1d_picture_unref(&picture);
    return status;
}
