/* SPDX-License-Identifier: MIT */
/* One thread, one reference, no groups of pictures, and the tools that reelpipe-encode asks for. */
#include "kvazaar_peer.h"

#include <kvazaar.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct kvazaar_peer {
    const kvz_api *api;
    kvz_config *config;
    kvz_picture **pictures; /* owned array */
    uint32_t picture_count;
};

static void
set_config(kvz_config *config, const struct kvazaar_peer_settings *settings)
{
    config->width = (int32_t)settings->width_px;
    config->height = (int32_t)settings->height_px;
    config->qp = settings->qp;
    config->intra_period = 0; /* the first picture alone */
    config->gop_len = 0;
    config->ref_frames = 1;
    config->bipred = 0;
    config->owf = 0;
    config->threads = 0;
    config->wpp = 0;
    config->hash = KVZ_HASH_NONE;
    config->add_encoder_info = 0;
    config->enable_logging_output = 0;
    config->sao_type = KVZ_SAO_FULL;
    config->signhide_enable = 1;
    config->tmvp_enable = 1;
    config->max_merge = 5;
}

static void
picture_fill(kvz_picture *picture, const uint8_t *nv12)
{
    const size_t luma_B = (size_t)picture->width * (size_t)picture->height;

    for (int32_t y = 0; y < picture->height; y++)
        memcpy(picture->y + (size_t)y * (size_t)picture->stride,
               nv12 + (size_t)y * (size_t)picture->width, (size_t)picture->width);
    for (int32_t y = 0; y < picture->height / 2; y++) {
        const uint8_t *from = nv12 + luma_B + (size_t)y * (size_t)picture->width;
        const size_t at = (size_t)y * (size_t)picture->stride / 2;

        for (int32_t x = 0; x < picture->width / 2; x++) {
            picture->u[at + (size_t)x] = from[2 * x];
            picture->v[at + (size_t)x] = from[2 * x + 1];
        }
    }
}

struct kvazaar_peer *
kvazaar_peer_create(const struct kvazaar_peer_settings *settings, const uint8_t *frames,
                    uint32_t count)
{
    struct kvazaar_peer *peer = calloc(1, sizeof(*peer));
    const size_t frame_B = (size_t)settings->width_px * settings->height_px * 3 / 2;

    if (!peer)
        return NULL;
    peer->api = kvz_api_get(8);
    peer->config = peer->api->config_alloc();
    peer->pictures = calloc(count, sizeof(peer->pictures[0]));
    if (!peer->config || !peer->pictures || !peer->api->config_init(peer->config) ||
        !peer->api->config_parse(peer->config, "preset", settings->preset)) {
        kvazaar_peer_destroy(peer);
        return NULL;
    }
    set_config(peer->config, settings);
    for (uint32_t i = 0; i < count; i++) {
        peer->pictures[i] =
            peer->api->picture_alloc((int32_t)settings->width_px, (int32_t)settings->height_px);
        if (!peer->pictures[i]) {
            kvazaar_peer_destroy(peer);
            return NULL;
        }
        picture_fill(peer->pictures[i], frames + i * frame_B);
        peer->picture_count++;
    }
    return peer;
}

void
kvazaar_peer_destroy(struct kvazaar_peer *peer)
{
    if (!peer)
        return;
    for (uint32_t i = 0; i < peer->picture_count; i++)
        peer->api->picture_free(peer->pictures[i]);
    free(peer->pictures);
    if (peer->config)
        peer->api->config_destroy(peer->config);
    free(peer);
}

/* NULL ends the stream. Adds to *size_B; false for an error. */
static bool
picture_encode(const struct kvazaar_peer *peer, kvz_encoder *encoder, kvz_picture *picture,
               size_t *size_B)
{
    kvz_data_chunk *chunks = NULL;
    uint32_t chunks_B = 0;

    if (!peer->api->encoder_encode(encoder, picture, &chunks, &chunks_B, NULL, NULL, NULL))
        return false;
    *size_B += chunks_B;
    peer->api->chunk_free(chunks);
    return true;
}

size_t
kvazaar_peer_encode(struct kvazaar_peer *peer)
{
    kvz_encoder *encoder = peer->api->encoder_open(peer->config);
    size_t stream_B = 0;
    bool is_ok = encoder != NULL;

    for (uint32_t i = 0; is_ok && i < peer->picture_count; i++)
        is_ok = picture_encode(peer, encoder, peer->pictures[i], &stream_B);
    if (is_ok)
        is_ok = picture_encode(peer, encoder, NULL, &stream_B);
    if (encoder)
        peer->api->encoder_close(encoder);
    return is_ok ? stream_B : 0;
}
