/* SPDX-License-Identifier: MIT */
/* A ring of what was submitted.
 */
#include "video/vp9/order.h"

#include "platform/clock.h"
#include "platform/condition.h"
#include "util/log.h"

/* What was submitted before may wait for something that comes after. */
#define PATIENCE_NS UINT64_C(2000000000)

void
rp_vp9_order_init(struct rp_vp9_order *order)
{
    rp_condition_init(&order->changed);
    pthread_mutex_init(&order->mutex, NULL);
}

void
rp_vp9_order_finish(struct rp_vp9_order *order)
{
    pthread_mutex_destroy(&order->mutex);
    pthread_cond_destroy(&order->changed);
}

void
rp_vp9_order_expect(struct rp_vp9_order *order, uint64_t sequence)
{
    pthread_mutex_lock(&order->mutex);
    order->expected[order->next] = (struct rp_vp9_expected){true, sequence};
    order->next = (order->next + 1) % RP_VP9_EXPECTED_PICTURES;
    pthread_mutex_unlock(&order->mutex);
}

static bool
is_earlier_expected(struct rp_vp9_order *order, uint64_t sequence)
{
    bool is_any = false;
    pthread_mutex_lock(&order->mutex);
    for (uint32_t i = 0; i < RP_VP9_EXPECTED_PICTURES; i++)
        is_any |= order->expected[i].is_used && order->expected[i].sequence < sequence;
    pthread_mutex_unlock(&order->mutex);
    return is_any;
}

/* What did not come in time is not waited for again. */
static void
forget_earlier(struct rp_vp9_order *order, uint64_t sequence)
{
    pthread_mutex_lock(&order->mutex);
    for (uint32_t i = 0; i < RP_VP9_EXPECTED_PICTURES; i++) {
        if (order->expected[i].sequence < sequence)
            order->expected[i].is_used = false;
    }
    pthread_mutex_unlock(&order->mutex);
}

void
rp_vp9_order_enter(struct rp_vp9_order *order, pthread_mutex_t *mutex, uint64_t sequence)
{
    const uint64_t until_ns = rp_clock_now_ns() + PATIENCE_NS;
    bool is_in_time = true;
    while (is_in_time && is_earlier_expected(order, sequence))
        is_in_time = rp_condition_wait_until(&order->changed, mutex, until_ns);
    if (!is_in_time && is_earlier_expected(order, sequence)) {
        rp_log(RP_LOG_WARNING, "a VP9 picture was submitted before another, but is not decoded");
        forget_earlier(order, sequence);
    }
}

void
rp_vp9_order_leave(struct rp_vp9_order *order, uint64_t sequence)
{
    pthread_mutex_lock(&order->mutex);
    for (uint32_t i = 0; i < RP_VP9_EXPECTED_PICTURES; i++) {
        struct rp_vp9_expected *expected = &order->expected[i];
        if (expected->is_used && expected->sequence == sequence) {
            expected->is_used = false;
            break; /* each picture has its own */
        }
    }
    pthread_mutex_unlock(&order->mutex);
    pthread_cond_broadcast(&order->changed);
}
