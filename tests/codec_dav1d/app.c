/* SPDX-License-Identifier: MIT */
/* Streams, pictures and their judges.
 */
#include "app.h"

#include "codecs/dav1d/library.h"
#include "reelpipe/decode_av1.h"
#include "std_structures.h"
#include "tests/av1/walk.h"
#include "tests/test.h"

#include <errno.h>

#define MAX_TILES 4096
#define ALIGN 64

struct picture {
    int users;
    int32_t slot;
    bool is_key;
    bool is_failed;
    uint32_t width_px;
    uint32_t height_px;
    uint8_t *memory;       /* the image that is shown */
    uint8_t *setup_memory; /* without grain; NULL: the same */
    struct rp_picture dst;
    struct rp_picture dst_setup;
};

struct stream {
    const char *name;
    uint8_t *file;
    size_t file_B;
    size_t at_B;                    /* in the file */
    size_t unit_B;                  /* left of the temporal unit */
    struct Dav1dContext *judges[2]; /* with grain, and without */
    struct av1_walk walk;
    struct picture *references[RP_AV1_REFERENCES];
    bool is_in_frame; /* tile groups follow */
    struct rp_av1_frame frame;
    uint32_t tile_offsets_B[MAX_TILES];
    uint32_t tile_sizes_B[MAX_TILES];
    uint32_t tile_count;
    uint32_t shown_count;
};

static struct {
    const struct rp_dav1d_library *lib;
    const struct rp_decode_codec *codec; /* whose layout images have */
    const struct app_decoder *decoder;
    uint64_t random;
    uint32_t slot_count;
    uint32_t slots_used;
    bool is_damaging;
    bool is_quiet;
    uint32_t failed_count;
} app;

static uint32_t
random_below(uint32_t n)
{
    app.random = app.random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(app.random >> 33) % n;
}

/* Picture buffers live as long as the decoder may refer to them. */
struct memory {
    int users;
    _Alignas(ALIGN) uint8_t bytes[];
};

void
app_memory_retain(void *memory)
{
    ((struct memory *)memory)->users++;
}

void
app_memory_release(void *memory)
{
    struct memory *m = memory;
    if (--m->users == 0)
        free(m);
}

static struct memory *
memory_of(uint8_t *bytes)
{
    return (struct memory *)(bytes - offsetof(struct memory, bytes));
}

void *
app_memory_of(const struct app_job *job)
{
    return memory_of(job->dst.plane[0].data);
}

static void
image_init(struct rp_picture *image, uint8_t **bytes, uint32_t width_px, uint32_t height_px,
           uint32_t bit_depth)
{
    struct rp_decode_layout layout;
    app.codec->layout(width_px * (bit_depth > 8 ? 2 : 1), height_px, &layout);
    const size_t luma_B = (layout.stride_B * layout.rows + ALIGN - 1) / ALIGN * ALIGN;
    const size_t size_B =
        (sizeof(struct memory) + luma_B + layout.stride_B * (height_px + 1) + ALIGN - 1) / ALIGN *
        ALIGN;
    struct memory *m = aligned_alloc(ALIGN, size_B);
    REQUIRE(m);
    memset(m, 0x55, size_B);
    m->users = 1;
    *bytes = m->bytes;
    *image = (struct rp_picture){
        .layout = RP_PICTURE_NV12,
        .bit_depth = bit_depth,
        .width_px = width_px,
        .height_px = height_px,
        .plane = {{m->bytes, layout.stride_B}, {m->bytes + luma_B, layout.stride_B}}};
}

static void
picture_release(struct picture *p)
{
    if (!p || --p->users > 0)
        return;
    app.slots_used &= ~(1u << p->slot);
    app_memory_release(memory_of(p->memory));
    if (p->setup_memory)
        app_memory_release(memory_of(p->setup_memory));
    free(p);
}

static void
reference_set(struct picture **at, struct picture *p)
{
    p->users++;
    picture_release(*at);
    *at = p;
}

/* The sample as an image has it. */
static uint32_t
sample_at(const struct rp_plane *plane, uint32_t x, uint32_t y, uint32_t bit_depth)
{
    const uint8_t *row = plane->data + y * plane->stride_B;
    return bit_depth > 8 ? ((const uint16_t *)row)[x] : row[x];
}

/* The sample as an image should have it. */
static uint32_t
judged_sample(const struct rp_dav1d_picture *picture, uint32_t plane, uint32_t x, uint32_t y)
{
    const uint32_t bit_depth = (uint32_t)picture->parameters.bit_depth;
    const uint8_t *data = picture->data[plane];
    if (!data)
        return bit_depth > 8 ? 1u << 15 : 1u << 7;
    data += (ptrdiff_t)y * picture->stride_B[plane > 0];
    return bit_depth > 8 ? (uint32_t)((const uint16_t *)data)[x] << (16 - bit_depth) : data[x];
}

/* The judge's next picture is the one in the image. */
static void
judge_picture(struct stream *s, uint32_t judge, const struct rp_picture *image)
{
    struct rp_dav1d_picture want = {.data = {NULL}};
    REQUIRE_EQ(app.lib->dav1d_get_picture(s->judges[judge], &want), 0);
    const uint32_t width = (uint32_t)want.parameters.width_px;
    const uint32_t height = (uint32_t)want.parameters.height_px;
    REQUIRE_EQ(width, image->width_px);
    REQUIRE_EQ(height, image->height_px);
    REQUIRE_EQ((uint32_t)want.parameters.bit_depth, image->bit_depth);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++)
            REQUIRE_EQ(sample_at(&image->plane[0], x, y, image->bit_depth),
                       judged_sample(&want, 0, x, y));
    }
    for (uint32_t y = 0; y < (height + 1) / 2; y++) {
        for (uint32_t x = 0; x < (width + 1) / 2 * 2; x++)
            REQUIRE_EQ(sample_at(&image->plane[1], x, y, image->bit_depth),
                       judged_sample(&want, 1 + x % 2, x / 2, y));
    }
    app.lib->dav1d_picture_unref(&want);
}

static void
show(struct stream *s, const struct picture *p)
{
    s->shown_count++;
    if (app.is_damaging)
        return;
    judge_picture(s, 0, &p->dst);
    judge_picture(s, 1, p->setup_memory ? &p->dst_setup : &p->dst);
}

static struct picture *
picture_create(const struct rp_av1_sequence *sequence, const struct rp_av1_frame *frame)
{
    const uint32_t width_px = frame->size.upscaled_width, height_px = frame->size.frame_height;
    const uint32_t bit_depth = sequence->color.bit_depth;
    struct picture *p = calloc(1, sizeof(*p));
    REQUIRE(p);
    do
        p->slot = (int32_t)random_below(app.slot_count);
    while (app.slots_used >> p->slot & 1);
    app.slots_used |= 1u << p->slot;
    p->users = 1;
    p->is_key = frame->frame_type == RP_AV1_KEY_FRAME;
    image_init(&p->dst, &p->memory, width_px, height_px, bit_depth);
    if (frame->film_grain.apply_grain)
        image_init(&p->dst_setup, &p->setup_memory, width_px, height_px, bit_depth);
    return p;
}

static void
decode_frame(struct stream *s)
{
    static struct std_structures std;
    const struct rp_av1_frame *frame = &s->frame;
    std_structures_init(&std, &s->walk.state.sequence, frame);
    struct picture *p = picture_create(&s->walk.state.sequence, frame);
    struct app_job job = {
        .std = &std,
        .frame = frame,
        .setup_slot = p->slot,
        .width_px = frame->size.upscaled_width,
        .height_px = frame->size.frame_height,
        .data = s->file,
        .data_B = s->file_B,
        .tile_offsets_B = s->tile_offsets_B,
        .tile_sizes_B = s->tile_sizes_B,
        .tile_count = s->tile_count,
        .dst = p->dst,
        .dst_setup = p->dst_setup,
    };
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME; i++) {
        const struct picture *ref = s->references[frame->ref_frame_idx[i]];
        job.name_slots[i] = !rp_av1_frame_is_intra(frame) && ref ? ref->slot : -1;
        if (app.is_damaging && random_below(60) == 0)
            job.name_slots[i] = (int32_t)random_below(app.slot_count + 1) - 1;
    }
    if (p->is_key && frame->show_frame && app.decoder->begin_sequence)
        app.decoder->begin_sequence(app.decoder->ctx);
    const enum rp_codec_status status = app.decoder->decode(app.decoder->ctx, &job);
    app.failed_count += status != RP_CODEC_OK;
    if (!app.is_damaging)
        REQUIRE_EQ(status, RP_CODEC_OK);
    if (frame->show_frame)
        show(s, p);
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++) {
        if (frame->refresh_frame_flags >> i & 1)
            reference_set(&s->references[i], p);
    }
    picture_release(p);
}

/* tile_group_obu() (5.11.1) */
static void
read_tiles(struct stream *s, const uint8_t *data, size_t size_B)
{
    const struct rp_av1_tile_info *tiles = &s->frame.tiles;
    const uint32_t count = tiles->tile_cols * tiles->tile_rows;
    struct rp_av1_syntax syntax;
    bool has_start_and_end = false;
    uint32_t first = 0;
    uint32_t last = count - 1;
    rp_av1_syntax_init_read(&syntax, data, size_B);
    if (count > 1)
        rp_av1_code_flag(&syntax, &has_start_and_end);
    if (has_start_and_end) {
        rp_av1_code_f(&syntax, tiles->tile_cols_log2 + tiles->tile_rows_log2, &first);
        rp_av1_code_f(&syntax, tiles->tile_cols_log2 + tiles->tile_rows_log2, &last);
    }
    size_t at_B = (rp_av1_syntax_position(&syntax) + 7) / 8;
    REQUIRE(first == s->tile_count && last < count);
    for (uint32_t i = first; i <= last; i++) {
        size_t tile_B = 0;
        for (uint32_t k = 0; k <= tiles->tile_size_bytes_minus_1 && i < last; k++)
            tile_B |= (size_t)data[at_B++] << (8 * k);
        tile_B = i < last ? tile_B + 1 : size_B - at_B;
        REQUIRE(at_B + tile_B <= size_B);
        s->tile_offsets_B[i] = (uint32_t)(data + at_B - s->file);
        s->tile_sizes_B[i] = (uint32_t)tile_B;
        if (app.is_damaging && random_below(8) == 0)
            s->file[s->tile_offsets_B[i] + random_below((uint32_t)tile_B)] ^= 1u << random_below(8);
        at_B += tile_B;
        s->tile_count++;
    }
    if (s->tile_count == count) {
        s->is_in_frame = false;
        decode_frame(s);
    }
}

static void
show_existing(struct stream *s)
{
    struct picture *p = s->references[s->walk.frame.frame_to_show_map_idx];
    REQUIRE(p);
    show(s, p);
    for (uint32_t i = 0; i < RP_AV1_REFERENCES && p->is_key; i++)
        reference_set(&s->references[i], p);
}

static void
step_obu(struct stream *s)
{
    struct av1_obu obu;
    REQUIRE_EQ(av1_walk_next(&s->walk, s->file + s->at_B, s->unit_B, &obu), RP_AV1_OK);
    s->at_B += obu.size_B;
    s->unit_B -= obu.size_B;
    const bool has_header =
        obu.header.obu_type == RP_AV1_OBU_FRAME || obu.header.obu_type == RP_AV1_OBU_FRAME_HEADER;
    if (has_header && s->walk.frame.show_existing_frame) {
        show_existing(s);
        return;
    }
    if (has_header) {
        s->frame = s->walk.frame;
        s->tile_count = 0;
        s->is_in_frame = true;
    }
    if (s->is_in_frame &&
        (obu.header.obu_type == RP_AV1_OBU_FRAME || obu.header.obu_type == RP_AV1_OBU_TILE_GROUP)) {
        const size_t header_B = obu.header.obu_type == RP_AV1_OBU_FRAME ? obu.frame_header_B : 0;
        read_tiles(s, obu.payload + header_B, obu.header.payload_B - header_B);
    }
}

static void
keep_data(const uint8_t *data, void *cookie)
{
}

/* The next temporal unit, to the judges as well; false at the end. */
static bool
next_unit(struct stream *s)
{
    uint32_t unit_B;
    if (s->at_B + 12 > s->file_B)
        return false;
    memcpy(&unit_B, s->file + s->at_B, sizeof(unit_B));
    s->at_B += 12;
    REQUIRE(unit_B <= s->file_B - s->at_B);
    s->unit_B = unit_B;
    for (uint32_t i = 0; i < 2 && !app.is_damaging; i++) {
        struct rp_dav1d_data data = {.data = NULL};
        REQUIRE_EQ(app.lib->dav1d_data_wrap(&data, s->file + s->at_B, unit_B, keep_data, NULL), 0);
        REQUIRE_EQ(app.lib->dav1d_send_data(s->judges[i], &data), 0);
        REQUIRE_EQ(data.size_B, 0);
    }
    return true;
}

static bool
stream_step(struct stream *s)
{
    if (s->unit_B == 0 && !next_unit(s))
        return false;
    while (s->unit_B > 0)
        step_obu(s);
    return true;
}

static void
file_open(struct stream *s, const char *name)
{
    *s = (struct stream){.name = name};
    FILE *file = fopen(name, "rb");
    REQUIRE(file && fseek(file, 0, SEEK_END) == 0);
    s->file_B = (size_t)ftell(file);
    rewind(file);
    s->file = malloc(s->file_B);
    REQUIRE(s->file && fread(s->file, 1, s->file_B, file) == s->file_B && fclose(file) == 0);
    REQUIRE(s->file_B > 32 && memcmp(s->file, "DKIF", 4) == 0);
    s->at_B = 32;
}

uint32_t
app_bit_depth(const char *name)
{
    static struct stream s;
    uint32_t unit_B;
    file_open(&s, name);
    memcpy(&unit_B, s.file + s.at_B, sizeof(unit_B));
    s.at_B += 12;
    for (struct av1_obu obu; !s.walk.has_sequence; s.at_B += obu.size_B)
        REQUIRE_EQ(av1_walk_next(&s.walk, s.file + s.at_B, s.file_B - s.at_B, &obu), RP_AV1_OK);
    free(s.file);
    return s.walk.state.sequence.color.bit_depth;
}

static void
stream_open(struct stream *s, const char *name)
{
    file_open(s, name);
    for (int i = 0; i < 2; i++) {
        struct rp_dav1d_settings settings;
        app.lib->dav1d_default_settings(&settings);
        settings.n_threads = settings.max_frame_delay = 1;
        settings.all_layers = 0;
        settings.apply_grain = i == 0;
        REQUIRE_EQ(app.lib->dav1d_open(&s->judges[i], &settings), 0);
    }
}

static void
stream_close(struct stream *s)
{
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++)
        picture_release(s->references[i]);
    for (uint32_t i = 0; i < 2; i++)
        app.lib->dav1d_close(&s->judges[i]);
    free(s->file);
    if (!app.is_quiet)
        (void)printf("%s: %u pictures\n", s->name, s->shown_count);
}

bool
app_run(const struct app_options *options, const struct app_decoder *decoder)
{
    static struct stream streams[APP_MAX_STREAMS];
    app.codec = rp_codec_av1_decode();
    app.lib = rp_dav1d_library_open();
    if (!app.codec || !app.lib)
        return false;
    app.decoder = decoder;
    app.random = options->seed;
    app.is_damaging = options->is_damaging;
    app.is_quiet = options->is_quiet;
    app.slot_count = APP_SLOTS_PER_STREAM * options->stream_count;
    for (uint32_t i = 0; i < options->stream_count; i++)
        stream_open(&streams[i], options->names[i]);
    for (bool is_alive = true; is_alive;) {
        is_alive = false;
        for (uint32_t i = 0; i < options->stream_count; i++)
            is_alive |= stream_step(&streams[i]);
    }
    for (uint32_t i = 0; i < options->stream_count; i++) {
        REQUIRE(streams[i].shown_count > 0);
        stream_close(&streams[i]);
    }
    if (!app.is_quiet)
        (void)printf("%u failed or damaged\n", app.failed_count);
    return true;
}
