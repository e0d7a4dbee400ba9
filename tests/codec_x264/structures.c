/* SPDX-License-Identifier: MIT */
/* Chains, hierarchies, long-term pictures, B pictures and random graphs.
 */
#include "structures.h"

#include "reelpipe/codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define P STD_VIDEO_H264_SLICE_TYPE_P
#define B STD_VIDEO_H264_SLICE_TYPE_B
#define I STD_VIDEO_H264_SLICE_TYPE_I

static struct app_picture
idr_picture(struct app *app, uint32_t display)
{
    return (struct app_picture){
        .display = display,
        .slice_type = I,
        .nal_ref_idc = 3,
        .marking = {.is_idr = true},
        .idr_pic_id = app_random(app) % 7,
    };
}

static struct app_picture
picture(const struct app *app, uint32_t slice_type, uint32_t nal_ref_idc, uint32_t display)
{
    return (struct app_picture){
        .display = display,
        .slice_type = slice_type,
        .nal_ref_idc = nal_ref_idc,
        .poc = app_poc(app, display),
    };
}

static uint32_t
picture_count(const struct app *app)
{
    return app_options(app)->picture_count;
}

static void
add_mmco(struct app_picture *pic, uint32_t op, uint32_t a, uint32_t b)
{
    pic->marking.is_adaptive = true;
    pic->marking.mmco[pic->marking.mmco_count++] = (struct mmco){op, a, b};
}

/* difference_of_pic_nums_minus1 of a short-term entry. */
static uint32_t
pic_num_difference(struct app *app, uint32_t entry)
{
    const uint32_t frame_num = app_next_frame_num(app);
    return (uint32_t)((int32_t)frame_num - dpb_pic_num(app_dpb(app), entry, frame_num) - 1);
}

static uint32_t
initial_p(struct app *app, uint32_t out[DPB_SIZE])
{
    return dpb_initial_list(app_dpb(app), P, 0, app_next_frame_num(app), 0, out);
}

static void
refer_initial(struct app *app, struct app_picture *pic, uint32_t most)
{
    uint32_t list[DPB_SIZE];
    const uint32_t count = initial_p(app, list);

    pic->ref_count[0] = count < most ? count : most;
    memcpy(pic->refs[0], list, pic->ref_count[0] * sizeof(list[0]));
}

static void
refer(struct app_picture *pic, uint32_t list, int32_t entry)
{
    if (entry < 0) {
        fprintf(stderr, "a structure names a picture that is gone\n");
        abort();
    }
    pic->refs[list][pic->ref_count[list]++] = (uint32_t)entry;
}

static void
chain(struct app *app, uint32_t refs, uint32_t idr_period)
{
    for (uint32_t i = 0; i < picture_count(app); i++) {
        struct app_picture pic;
        if (i % idr_period == 0) {
            pic = idr_picture(app, i);
        } else {
            pic = picture(app, P, 2, i);
            refer_initial(app, &pic, refs);
        }
        app_code(app, &pic);
    }
}

static void
run_intra(struct app *app)
{
    for (uint32_t i = 0; i < picture_count(app); i++) {
        struct app_picture pic = i ? picture(app, I, 1, i) : idr_picture(app, i);
        app_code(app, &pic);
    }
}

static void
run_ippp(struct app *app)
{
    chain(app, 1, 1000);
}

static void
run_ippp_many_refs(struct app *app)
{
    chain(app, RP_H264_MAX_REFS, 1000);
}

static void
run_short_gops(struct app *app)
{
    chain(app, 2, 5);
}

static void
run_pairs(struct app *app)
{
    chain(app, 1, 2);
}

static void
run_long_gops(struct app *app)
{
    chain(app, 1, 49);
}

/* Each picture refers to one that is two to five back. */
static void
run_old_refs(struct app *app)
{
    for (uint32_t i = 0; i < picture_count(app); i++) {
        struct app_picture pic = i % 25 ? picture(app, P, 2, i) : idr_picture(app, i);
        if (i % 25) {
            uint32_t back = 2 + i % 4;
            while (back > 1 && (back > i || dpb_find_display(app_dpb(app), i - back) < 0))
                back--;
            refer(&pic, 0, dpb_find_display(app_dpb(app), i - back));
        }
        app_code(app, &pic);
    }
}

/* Temporal layers of P pictures; the highest is not referred to. */
static void
run_hierarchical_p(struct app *app)
{
    static const uint32_t back[4] = {4, 1, 2, 1};
    static const uint32_t ref_idc[4] = {2, 0, 1, 0};

    for (uint32_t i = 0; i < picture_count(app); i++) {
        struct app_picture pic = i % 48 ? picture(app, P, ref_idc[i % 4], i) : idr_picture(app, i);
        if (i % 48)
            refer(&pic, 0, dpb_find_display(app_dpb(app), i - back[i % 4]));
        app_code(app, &pic);
    }
}

/* Lists in any order; is_repeated: with one picture twice. */
static void
run_permuted(struct app *app, bool is_repeated)
{
    for (uint32_t i = 0; i < picture_count(app); i++) {
        if (i % 30 == 0) {
            struct app_picture idr = idr_picture(app, i);
            app_code(app, &idr);
            continue;
        }
        uint32_t list[DPB_SIZE];
        const uint32_t count = initial_p(app, list);
        for (uint32_t k = count - 1; k > 0; k--) {
            const uint32_t other = app_random(app) % (k + 1), entry = list[k];
            list[k] = list[other];
            list[other] = entry;
        }
        struct app_picture pic = picture(app, P, app_random(app) % 4 ? 2 : 0, i);
        for (uint32_t k = 0; k < count && k < 3; k++)
            refer(&pic, 0, (int32_t)list[k]);
        if (is_repeated && count >= 2)
            refer(&pic, 0, (int32_t)list[0]);
        app_code(app, &pic);
    }
}

static void
run_any_order(struct app *app)
{
    run_permuted(app, false);
}

static void
run_repeated(struct app *app)
{
    run_permuted(app, true);
}

/* Adaptive marking does not slide the window: makes room when the DPB is full. */
static void
make_room(struct app *app, struct app_picture *pic)
{
    struct dpb *dpb = app_dpb(app);
    const int32_t oldest = dpb_find_oldest(dpb, app_next_frame_num(app));
    uint32_t freed = 0;

    for (uint32_t k = 0; k < pic->marking.mmco_count; k++) {
        const struct mmco *m = &pic->marking.mmco[k];
        const uint32_t idx = m->op == 3 ? m->b : m->a;
        for (uint32_t i = 0; i < DPB_SIZE && m->op != 1 && m->op != 4; i++)
            freed += dpb->entry[i].is_used && dpb->entry[i].is_long_term &&
                     dpb->entry[i].long_term_idx == idx;
        freed += m->op == 1;
    }
    if (!pic->marking.is_adaptive || oldest < 0 || dpb_count_used(dpb) - freed < dpb->max_refs)
        return;
    const uint32_t difference = pic_num_difference(app, (uint32_t)oldest);
    for (uint32_t k = 0; k < pic->marking.mmco_count; k++) {
        if (pic->marking.mmco[k].op == 3 && pic->marking.mmco[k].a == difference)
            return;
    }
    memmove(&pic->marking.mmco[1], &pic->marking.mmco[0],
            pic->marking.mmco_count++ * sizeof(pic->marking.mmco[0]));
    pic->marking.mmco[0] = (struct mmco){1, difference, 0};
}

static void
choose_long_term_refs(struct app *app, struct app_picture *pic, uint32_t i)
{
    const int32_t long_term = dpb_find_long_term(app_dpb(app));
    uint32_t list[DPB_SIZE];
    const uint32_t count = initial_p(app, list);
    const bool has_short_term = !app_dpb(app)->entry[list[0]].is_long_term;

    if (long_term >= 0 && i % 5 == 3) {
        refer(pic, 0, long_term);
    } else if (long_term >= 0 && has_short_term && i % 2) {
        refer(pic, 0, long_term);
        refer(pic, 0, (int32_t)list[0]);
    } else {
        for (uint32_t k = 0; k < count && k < 3; k++)
            refer(pic, 0, (int32_t)list[k]);
    }
}

static void
run_long_term(struct app *app)
{
    for (uint32_t n = 0; n < picture_count(app); n++) {
        const uint32_t i = n % 24;
        struct app_picture pic = i ? picture(app, P, 2, n) : idr_picture(app, n);
        pic.marking.is_long_term_idr = pic.marking.is_idr;
        if (i) {
            choose_long_term_refs(app, &pic, i);
            if (i == 6) {
                add_mmco(&pic, 4, 2, 0);
                add_mmco(&pic, 6, 1, 0); /* this picture becomes long-term 1 */
            }
            const int32_t oldest = dpb_find_oldest(app_dpb(app), app_next_frame_num(app));
            if (i == 12 && oldest >= 0) /* a short-term picture becomes long-term 0 */
                add_mmco(&pic, 3, pic_num_difference(app, (uint32_t)oldest), 0);
            if (i == 18)
                add_mmco(&pic, 2, 1, 0);
            make_room(app, &pic);
        }
        app_code(app, &pic);
    }
}

static void
run_mmco5(struct app *app)
{
    for (uint32_t i = 0; i < picture_count(app); i++) {
        struct app_picture pic = i ? picture(app, P, 2, i) : idr_picture(app, i);
        if (i)
            refer_initial(app, &pic, 3);
        if (i % 7 == 5)
            add_mmco(&pic, 5, 0, 0);
        app_code(app, &pic);
    }
}

static void
run_ibbp(struct app *app)
{
    struct app_picture pic = idr_picture(app, 0);
    app_code(app, &pic);
    for (uint32_t anchor = 3; anchor < picture_count(app); anchor += 3) {
        pic = picture(app, P, 2, anchor);
        refer(&pic, 0, dpb_find_display(app_dpb(app), anchor - 3));
        const uint32_t next = app_code(app, &pic);
        for (uint32_t k = 1; k < 3; k++) {
            pic = picture(app, B, 0, anchor - 3 + k);
            refer(&pic, 0, dpb_find_display(app_dpb(app), anchor - 3));
            refer(&pic, 1, (int32_t)next);
            app_code(app, &pic);
        }
    }
}

/* The pictures between a and b; every second level names both in both lists. */
static void
pyramid(struct app *app, uint32_t a, uint32_t b, uint32_t depth)
{
    if (b - a < 2)
        return;
    const uint32_t middle = (a + b) / 2;
    const int32_t before = dpb_find_display(app_dpb(app), a);
    const int32_t after = dpb_find_display(app_dpb(app), b);
    struct app_picture pic = picture(app, B, b - a > 2, middle);

    refer(&pic, 0, before);
    refer(&pic, 1, after);
    if (depth & 1) {
        refer(&pic, 0, after);
        refer(&pic, 1, before);
    }
    app_code(app, &pic);
    pyramid(app, a, middle, depth + 1);
    pyramid(app, middle, b, depth + 1);
}

static void
run_pyramid(struct app *app)
{
    struct dpb *dpb = app_dpb(app);
    struct app_picture pic = idr_picture(app, 0);
    app_code(app, &pic);
    for (uint32_t anchor = 8; anchor < picture_count(app); anchor += 8) {
        pic = picture(app, P, 2, anchor);
        refer(&pic, 0, dpb_find_display(dpb, anchor - 8));
        for (uint32_t i = 0; i < DPB_SIZE; i++) {
            if (dpb->entry[i].is_used && dpb->entry[i].display != anchor - 8)
                add_mmco(&pic, 1, pic_num_difference(app, i), 0);
        }
        app_code(app, &pic);
        pyramid(app, anchor - 8, anchor, 0);
    }
}

/* B pictures of the past alone, the same pictures in both lists. */
static void
run_low_delay_b(struct app *app)
{
    for (uint32_t i = 0; i < picture_count(app); i++) {
        struct app_picture pic = i ? picture(app, B, 2, i) : idr_picture(app, i);
        if (i) {
            refer_initial(app, &pic, 2);
            pic.ref_count[1] = pic.ref_count[0];
            for (uint32_t k = 0; k < pic.ref_count[0]; k++)
                pic.refs[1][k] = pic.refs[0][pic.ref_count[0] - 1 - k];
        }
        app_code(app, &pic);
    }
}

/* B pictures whose colocated picture is long-term. */
static void
run_long_term_b(struct app *app)
{
    for (uint32_t i = 0; i < picture_count(app); i++) {
        struct app_picture pic = idr_picture(app, i);
        pic.marking.is_long_term_idr = true;
        if (i) {
            const int32_t long_term = dpb_find_long_term(app_dpb(app));
            uint32_t list[DPB_SIZE];
            initial_p(app, list);
            pic = picture(app, i > 1 ? B : P, 2, i);
            refer(&pic, 0, i > 1 ? (int32_t)list[0] : long_term);
            if (i > 1)
                refer(&pic, 1, long_term);
        }
        app_code(app, &pic);
    }
}

static uint32_t
random_of(struct app *app, uint32_t count)
{
    return app_random(app) % count;
}

static void
choose_random_refs(struct app *app, struct app_picture *pic)
{
    const uint32_t list_count = pic->slice_type == I ? 0 : pic->slice_type == B ? 2 : 1;
    uint32_t all[DPB_SIZE];
    const uint32_t all_count = initial_p(app, all);

    for (uint32_t list = 0; list < list_count; list++) {
        const uint32_t wanted = 1 + random_of(app, 4);
        uint32_t initial[DPB_SIZE];
        const uint32_t count = dpb_initial_list(app_dpb(app), pic->slice_type, list,
                                                app_next_frame_num(app), pic->poc, initial);
        const bool is_initial = random_of(app, 3) == 0;
        for (uint32_t k = 0; k < wanted && (!is_initial || k < count); k++)
            refer(pic, list, (int32_t)(is_initial ? initial[k] : all[random_of(app, all_count)]));
    }
}

/* Drops a picture when the DPB is full, and now and then makes one long-term. */
static void
mark_randomly(struct app *app, struct app_picture *pic, bool has_long_term)
{
    struct dpb *dpb = app_dpb(app);
    const bool is_full = dpb_count_used(dpb) >= dpb->max_refs;
    const int32_t long_term = dpb_find_long_term(dpb);
    int32_t oldest = dpb_find_oldest(dpb, app_next_frame_num(app));
    uint32_t long_term_count = 0;

    for (uint32_t i = 0; i < DPB_SIZE; i++)
        long_term_count += dpb->entry[i].is_used && dpb->entry[i].is_long_term;
    if (random_of(app, has_long_term ? 2 : 4)) {
        if (is_full && oldest < 0) /* the window has nothing to slide over */
            add_mmco(pic, 2, dpb->entry[long_term].long_term_idx, 0);
        return;
    }
    pic->marking.is_adaptive = true;
    if (is_full && long_term >= 0 && (oldest < 0 || random_of(app, 2))) {
        add_mmco(pic, 2, dpb->entry[long_term].long_term_idx, 0);
    } else if (is_full) {
        add_mmco(pic, 1, pic_num_difference(app, (uint32_t)oldest), 0);
        oldest = -1;
    }
    if (!has_long_term || oldest < 0 || long_term_count >= 2)
        return;
    add_mmco(pic, 4, 3, 0);
    if (random_of(app, 2))
        add_mmco(pic, 3, pic_num_difference(app, (uint32_t)oldest), random_of(app, 3));
    else
        add_mmco(pic, 6, random_of(app, 3), 0);
}

/* Coding order: groups of one to four whose last picture comes first. */
static uint32_t *
random_order(struct app *app, bool has_b)
{
    const uint32_t count = picture_count(app);
    uint32_t *order = malloc((count + 4) * sizeof(*order));
    if (!order)
        abort();

    for (uint32_t i = 0; i < count;) {
        const uint32_t left = count - i;
        uint32_t size = i && has_b ? 1 + random_of(app, 4) : 1;
        size = size < left ? size : left;
        order[i] = i + size - 1;
        for (uint32_t k = 1; k < size; k++)
            order[i + k] = i + k - 1;
        i += size;
    }
    return order;
}

static void
random_graph(struct app *app, bool has_b, bool has_long_term)
{
    uint32_t *order = random_order(app, has_b);

    for (uint32_t i = 0; i < picture_count(app); i++) {
        struct app_picture pic = idr_picture(app, order[i]);
        if (i) {
            const uint32_t nal_ref_idc = random_of(app, 4) ? 1 + random_of(app, 3) : 0;
            pic = picture(app, P, nal_ref_idc, order[i]);
            if (random_of(app, 12) == 0)
                pic.slice_type = I;
            else if (has_b && random_of(app, 2))
                pic.slice_type = B;
            choose_random_refs(app, &pic);
            if (nal_ref_idc)
                mark_randomly(app, &pic, has_long_term);
        }
        app_code(app, &pic);
    }
    free(order);
}

static void
run_random_p(struct app *app)
{
    random_graph(app, false, true);
}

static void
run_random_b(struct app *app)
{
    random_graph(app, true, false);
}

static void
run_random(struct app *app)
{
    random_graph(app, true, true);
}

const struct structure structures[] = {
    {"intra", run_intra},
    {"ippp", run_ippp},
    {"ippp-many-refs", run_ippp_many_refs},
    {"short-gops", run_short_gops},
    {"pairs", run_pairs},
    {"long-gops", run_long_gops},
    {"old-refs", run_old_refs},
    {"hierarchical-p", run_hierarchical_p},
    {"any-order", run_any_order},
    {"repeated", run_repeated},
    {"long-term", run_long_term},
    {"mmco5", run_mmco5},
    {"ibbp", run_ibbp},
    {"pyramid", run_pyramid},
    {"low-delay-b", run_low_delay_b},
    {"long-term-b", run_long_term_b},
    {"random-p", run_random_p},
    {"random-b", run_random_b},
    {"random", run_random},
};

const uint32_t structure_count = sizeof(structures) / sizeof(structures[0]);

const struct structure *
structure_find(const char *name)
{
    for (uint32_t i = 0; i < structure_count; i++) {
        if (strcmp(structures[i].name, name) == 0)
            return &structures[i];
    }
    return NULL;
}

struct app *
structure_code(const struct structure *structure, const struct app_options *options)
{
    struct app *app = app_create(options, rp_codec_h264_encode());
    if (!app)
        abort();
    structure->run(app);
    app_finish(app);
    return app;
}
