/* SPDX-License-Identifier: MIT */
/* A ring of what was submitted.
 */
#include "video/h264/fields.h"

#include "platform/clock.h"
#include "platform/condition.h"
#include "util/compiler.h"
#include "util/log.h"

#include "reelpipe/decode_h264.h"

/* A picture that is submitted only waits for what comes before it. */
#define PATIENCE_NS UINT64_C(2000000000)

#define FRAME (RP_DECODE_TOP | RP_DECODE_BOTTOM)

void
rp_h264_fields_init(struct rp_h264_fields *fields)
{
    rp_condition_init(&fields->changed);
    pthread_mutex_init(&fields->mutex, NULL);
}

void
rp_h264_fields_finish(struct rp_h264_fields *fields)
{
    pthread_mutex_destroy(&fields->mutex);
    pthread_cond_destroy(&fields->changed);
}

/* The other field of the frame whose first field is open. */
static bool
is_second(const struct rp_h264_fields *fields, const struct rp_h264_field *field)
{
    return fields->open.key.image_id && rp_picture_key_is_equal(&fields->open.key, &field->key) &&
           (fields->open.fields ^ field->fields) == FRAME;
}

void
rp_h264_fields_expect(struct rp_h264_fields *fields, const struct rp_h264_field *field)
{
    pthread_mutex_lock(&fields->mutex);
    fields->expected[fields->next] = *field;
    fields->next = (fields->next + 1) % RP_H264_EXPECTED_PICTURES;
    pthread_mutex_unlock(&fields->mutex);
}

/* The second field comes first by the order of submission. */
static bool
is_expected_before(struct rp_h264_fields *fields, uint64_t sequence)
{
    bool is_any = false;
    pthread_mutex_lock(&fields->mutex);
    for (uint32_t i = 0; i < RP_H264_EXPECTED_PICTURES; i++) {
        const struct rp_h264_field *field = &fields->expected[i];
        is_any |= field->key.image_id && is_second(fields, field) &&
                  field->sequence >= fields->open.sequence && field->sequence < sequence;
    }
    pthread_mutex_unlock(&fields->mutex);
    return is_any;
}

/* Something that was submitted before is not decoded yet: a queue is late. */
static bool
is_older_expected(struct rp_h264_fields *fields, uint64_t sequence)
{
    bool is_any = false;
    pthread_mutex_lock(&fields->mutex);
    for (uint32_t i = 0; i < RP_H264_EXPECTED_PICTURES; i++)
        is_any |= fields->expected[i].fields && fields->expected[i].sequence < sequence;
    pthread_mutex_unlock(&fields->mutex);
    return is_any;
}

/* What was submitted before refers to so many pictures that with this one's there are more than
 * slots. */
static bool
would_crowd_out(struct rp_h264_fields *fields, const struct rp_h264_field *picture)
{
    uint32_t older_count = 0;
    uint32_t most_refs = 0;
    pthread_mutex_lock(&fields->mutex);
    for (uint32_t i = 0; i < RP_H264_EXPECTED_PICTURES; i++) {
        const struct rp_h264_field *older = &fields->expected[i];
        if (older->fields == 0 || older->sequence >= picture->sequence)
            continue;
        older_count++;
        most_refs = RP_MAX(most_refs, older->ref_count);
    }
    pthread_mutex_unlock(&fields->mutex);
    return older_count > 0 &&
           most_refs + older_count + picture->ref_count + 1 > RP_H264_DECODE_SLOTS;
}

static bool
would_part(struct rp_h264_fields *fields, const struct rp_h264_field *picture)
{
    if (is_second(fields, picture))
        return false;
    if (fields->open.key.image_id && is_expected_before(fields, picture->sequence))
        return true;
    return picture->fields != FRAME && is_older_expected(fields, picture->sequence);
}

/* What did not come in time is not waited for again. */
static void
forget_older(struct rp_h264_fields *fields, uint64_t sequence)
{
    pthread_mutex_lock(&fields->mutex);
    for (uint32_t i = 0; i < RP_H264_EXPECTED_PICTURES; i++) {
        if (fields->expected[i].sequence < sequence)
            fields->expected[i] = (struct rp_h264_field){.fields = 0};
    }
    pthread_mutex_unlock(&fields->mutex);
}

static void
forget(struct rp_h264_fields *fields, const struct rp_h264_field *picture)
{
    pthread_mutex_lock(&fields->mutex);
    for (uint32_t i = 0; i < RP_H264_EXPECTED_PICTURES; i++) {
        struct rp_h264_field *field = &fields->expected[i];
        if (field->sequence == picture->sequence && field->fields == picture->fields &&
            rp_picture_key_is_equal(&field->key, &picture->key))
            *field = (struct rp_h264_field){.fields = 0};
    }
    pthread_mutex_unlock(&fields->mutex);
}

void
rp_h264_fields_enter(struct rp_h264_fields *fields, pthread_mutex_t *mutex,
                     const struct rp_h264_field *picture)
{
    forget(fields, picture);
    const uint64_t until_ns = rp_clock_now_ns() + PATIENCE_NS;
    bool is_in_time = true;
    while (is_in_time && (would_part(fields, picture) || would_crowd_out(fields, picture)))
        is_in_time = rp_condition_wait_until(&fields->changed, mutex, until_ns);
    if (!is_in_time) {
        rp_log(RP_LOG_WARNING, "a picture was submitted before another one, but is not decoded");
        forget_older(fields, picture->sequence);
    }
}

void
rp_h264_fields_give_up(struct rp_h264_fields *fields, const struct rp_h264_field *picture)
{
    forget(fields, picture);
    pthread_cond_broadcast(&fields->changed);
}

void
rp_h264_fields_leave(struct rp_h264_fields *fields, const struct rp_h264_field *picture)
{
    const bool opens = picture->fields != FRAME && !is_second(fields, picture);
    fields->open = opens ? *picture : (struct rp_h264_field){.fields = 0};
    pthread_cond_broadcast(&fields->changed);
}
