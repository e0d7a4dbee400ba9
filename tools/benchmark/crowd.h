/* SPDX-License-Identifier: MIT */
/* The parts of bench_crowd: encoders of H.264 in numbers.
 */
#ifndef RP_BENCHMARK_CROWD_H
#define RP_BENCHMARK_CROWD_H

#include "cores.h"
#include "video.h"

#define CROWD_SOURCES 4u

/* A moving texture with noise, CROWD_SOURCES frames of it. */
void crowd_make_frames(struct video *video, uint32_t width_px, uint32_t height_px);
void crowd_free_frames(struct video *video);

/* veryfast at constant QP, with its sources filled. */
struct encoder *crowd_encoder(struct video *video, struct gpu *gpu, uint32_t in_flight);

/* Goes back and forth in the sources. */
void crowd_encode(struct encoder *enc, uint32_t number);

/* Processes with as many sessions each, begun at once; of a picture, in the mean of all rounds.
 * control_group: the folder of the one that they enter before they have a device, or NULL. */
struct bench_cost crowd_measure_processes(struct video *video, uint32_t count,
                                          uint32_t session_count, uint32_t rounds,
                                          const char *control_group);

void crowd_queues(uint32_t rounds);
void crowd_devices(uint32_t rounds);
void crowd_neighbour(uint32_t rounds);
void crowd_in_flight(uint32_t rounds);
void crowd_maps(uint32_t rounds);
void crowd_processes(uint32_t rounds);
void crowd_affinity(uint32_t rounds);
void crowd_quotas(uint32_t rounds);

#endif
