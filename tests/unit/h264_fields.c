/* SPDX-License-Identifier: MIT */
/* Pictures that are submitted in order and come in another one, where that would take slots away.
 */
#include "video/h264/fields.h"

#include "test.h"

#include <stdatomic.h>
#include <time.h>

#define LATE_NS 20000000L /* how long a thread has that is to come in at once, or not yet */

struct scene {
    struct rp_h264_fields fields;
    pthread_mutex_t mutex; /* the session's */
    struct rp_h264_field older;
    struct rp_h264_field idr;
    atomic_bool has_entered;
    pthread_t thread;
};

static struct rp_h264_field
frame(uint64_t sequence, uint32_t ref_count)
{
    return (struct rp_h264_field){.key = {.image_id = sequence},
                                  .fields = RP_DECODE_TOP | RP_DECODE_BOTTOM,
                                  .ref_count = ref_count,
                                  .sequence = sequence};
}

static void *
decode_idr(void *arg)
{
    struct scene *sc = arg;
    pthread_mutex_lock(&sc->mutex);
    rp_h264_fields_enter(&sc->fields, &sc->mutex, &sc->idr);
    atomic_store(&sc->has_entered, true);
    rp_h264_fields_leave(&sc->fields, &sc->idr);
    pthread_mutex_unlock(&sc->mutex);
    return NULL;
}

/* A picture and the IDR picture after it are submitted; the second one is first. */
static void
scene_begin(struct scene *sc, uint32_t ref_count)
{
    *sc = (struct scene){.older = frame(19, ref_count), .idr = frame(20, 0)};
    pthread_mutex_init(&sc->mutex, NULL);
    rp_h264_fields_init(&sc->fields);
    rp_h264_fields_expect(&sc->fields, &sc->older);
    rp_h264_fields_expect(&sc->fields, &sc->idr);
    REQUIRE_EQ(pthread_create(&sc->thread, NULL, decode_idr, sc), 0);
    nanosleep(&(struct timespec){.tv_nsec = LATE_NS}, NULL);
}

static void
scene_end(struct scene *sc)
{
    REQUIRE_EQ(pthread_join(sc->thread, NULL), 0);
    REQUIRE(atomic_load(&sc->has_entered));
    rp_h264_fields_finish(&sc->fields);
    pthread_mutex_destroy(&sc->mutex);
}

static void
a_picture_does_not_take_slots_that_an_earlier_one_needs(void)
{
    struct scene sc;
    scene_begin(&sc, 16);
    REQUIRE(!atomic_load(&sc.has_entered));
    pthread_mutex_lock(&sc.mutex);
    rp_h264_fields_enter(&sc.fields, &sc.mutex, &sc.older);
    rp_h264_fields_leave(&sc.fields, &sc.older);
    pthread_mutex_unlock(&sc.mutex);
    scene_end(&sc);
}

static void
an_earlier_one_that_is_given_up_needs_none(void)
{
    struct scene sc;
    scene_begin(&sc, 16);
    REQUIRE(!atomic_load(&sc.has_entered));
    pthread_mutex_lock(&sc.mutex);
    rp_h264_fields_give_up(&sc.fields, &sc.older);
    pthread_mutex_unlock(&sc.mutex);
    scene_end(&sc);
}

/* It may even wait for the later one, which must not wait for it. */
static void
where_there_are_slots_for_both_nobody_waits(void)
{
    struct scene sc;
    scene_begin(&sc, 14);
    scene_end(&sc);
    REQUIRE(sc.fields.expected[0].sequence == 19);
}

int
main(void)
{
    RUN(a_picture_does_not_take_slots_that_an_earlier_one_needs);
    RUN(an_earlier_one_that_is_given_up_needs_none);
    RUN(where_there_are_slots_for_both_nobody_waits);
    return 0;
}
