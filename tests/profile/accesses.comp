#version 460
// SPDX-License-Identifier: MIT
// One thing that a kernel should not do in each case from 1 on, and near misses from 20 on;
// patterns whose sectors and bank conflicts are known from 40 on. What is marked "@name" the script
// finds.
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_KHR_shader_subgroup_basic : require

layout(constant_id = 0) const uint CASE = 0;
layout(constant_id = 1) const uint PITCH = 32;
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(set = 0, binding = 2) buffer C { uint8_t c[]; };
layout(set = 0, binding = 3, r32ui) uniform uimage2D image;
shared uint words[33 * 32];

void main()
{
    const uint lane = gl_LocalInvocationIndex, id = gl_GlobalInvocationID.x;
    const uint group = gl_WorkGroupID.x;
    switch (CASE) {
    case 1:
        b[id] = a[id + 8192 - 100]; // @outside_read
        break;
    case 2:
        b[id * 4096 + lane] = 1; // @outside_write
        break;
    case 3:
        if (lane < 32)
            words[lane] = lane;
        barrier();
        b[id] = words[lane]; // @unwritten
        break;
    case 4:
        words[lane] = lane; // @race_shared_write
        b[id] = words[lane ^ 1]; // @race_shared_read
        break;
    case 5:
        a[id] = lane + 1; // @race_buffer_write
        b[id] = a[id ^ 1]; // @race_buffer_read
        break;
    case 6:
        a[lane] = group + 1; // @race_groups_write
        break;
    case 7:
        b[id] = a[64 * (group ^ 1) + lane]; // @race_groups_read
        a[id] = id + 7; // @race_groups_write_after
        break;
    case 8:
        atomicAdd(a[0], 1); // @race_atomic
        b[id] = a[0]; // @race_plain
        break;
    case 9: {
        words[lane] = lane;
        barrier();
        const uint kept = words[lane ^ 1]; // @race_read_before
        words[lane] = kept + 100; // @race_write_behind
        break;
    }
    case 10:
        imageStore(image, ivec2(id, 3), uvec4(id)); // @outside_image
        break;
    case 11:
        imageStore(image, ivec2(0, group), uvec4(lane)); // @race_image
        break;
    case 12:
        words[lane] = lane; // @race_lanes_write
        subgroupBarrier();
        b[id] = words[lane ^ 32]; // @race_lanes_read
        break;
    case 13: // a and b are the same memory
        a[id] = lane + 1; // @race_alias_write
        if (b[id ^ 1] == 0xffffffff) // @race_alias_read
            c[0] = uint8_t(1);
        break;
    case 14:
        b[id] = imageLoad(image, ivec2(id, 3)).x; // @outside_image_read
        break;
    case 15: { // the barrier orders what subgroup 0 has read, not what the others have
        if (lane < 32)
            words[lane] = lane;
        barrier();
        if (lane < 32)
            b[id] = words[lane] + words[lane ^ 1];
        const uint kept = words[lane & 31]; // @race_subgroups_read
        subgroupBarrier();
        if (lane < 32)
            words[lane] = kept + 100; // @race_subgroups_write
        break;
    }
    case 20:
        words[lane] = lane;
        a[id] = lane + 1;
        barrier();
        b[id] = words[lane ^ 1] + a[id ^ 1];
        barrier();
        words[lane] = 7;
        break;
    case 21:
        b[id] = atomicAdd(a[0], 1) + atomicMax(a[1], id);
        atomicOr(words[lane & 1], lane);
        break;
    case 22:
        a[5] = 3;
        words[1] = 4;
        b[id] = 1;
        break;
    case 23:
        a[id] += 2;
        words[lane] = a[id];
        b[id] = words[lane] + 1;
        break;
    case 24:
        c[id] = uint8_t(id);
        b[id] = c[id];
        break;
    case 25:
        words[lane] = lane;
        subgroupBarrier();
        b[id] = words[lane ^ 1];
        break;
    case 26:
        b[8191 - id] = a[8191 - id];
        imageStore(image, ivec2(id & 15, id >> 4), uvec4(id));
        break;
    case 27: // each workgroup adds what the others have left, in turn
        if (lane == 0) {
            while (atomicCompSwap(a[0], 0, 1) != 0) {
            }
            memoryBarrierBuffer();
            a[1] += group + 1;
            memoryBarrierBuffer();
            atomicExchange(a[0], 0);
        }
        break;
    case 28: // without a barrier of the workgroup that of memory orders nothing
        words[lane] = lane; // @race_fence_write
        memoryBarrierShared();
        b[id] = words[lane ^ 1]; // @race_fence_read
        break;
    case 29: // each texel by four invocations at once, who store the same
        imageStore(image, ivec2(lane & 15, group), uvec4(lane & 15, lane, 0, 0));
        break;
    case 40:
        b[id] = a[0]; // @pattern
        break;
    case 41:
        b[id] = a[id]; // @pattern
        break;
    case 42:
        b[id] = a[2 * id]; // @pattern
        break;
    case 43:
        b[id] = a[32 * id]; // @pattern
        break;
    case 44:
        b[id] = a[33 * id]; // @pattern
        break;
    case 45:
        b[id] = a[(id * 2654435761u) >> 19]; // @pattern
        break;
    case 46:
        if ((lane & 1) != 0)
            b[id] = a[id + 1]; // @pattern
        break;
    case 47:
        for (uint i = 0; i <= lane; i++)
            b[id] += i;
        break;
    case 60: { // strips of a along x, strips of b along y
        const uint sum = a[group * 1024 + lane * 16] + b[gl_WorkGroupID.y * 1024 + lane * 16];
        if (sum == 0xffffffff)
            b[0] = 1;
        break;
    }
    case 50:
        words[lane % 32 * PITCH + lane / 32] = lane; // @column
        break;
    }
}
