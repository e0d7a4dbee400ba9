// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// Words of workgroup memory at constant places, as one invocation or all of them read and write
// them, and scalars. PART says how.
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint PART = 0u;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
shared uint range, low, count, last;
shared uint64_t wide;
shared uint around[4];
shared uint state[8];
shared uvec2 pair;

uint lane = gl_LocalInvocationIndex;

// A coder's loop: IFs, a way round and a way out, and what is read behind it by all.
void coder()
{
    if (lane == 3u) {
        range = 0xff00u;
        low = a[gl_WorkGroupID.x];
        count = 0u;
        wide = 3ul;
    }
    barrier();
    for (uint symbol = 0u; symbol < 5u; symbol++) {
        if (lane == 3u) {
            for (uint n = 0u; n < 9u; n++) {
                uint part = range * (n + 1u) >> 8;
                range -= part;
                if (low < range)
                    continue;
                low -= range;
                range = part;
                wide = wide * 0x100000005ul + low;
                if (range < 0x100u) {
                    range <<= 8;
                    low <<= 8;
                    if (count < 6u)
                        low |= a[count + symbol] & 255u;
                    count++;
                } else {
                    count += 2u;
                }
                if (low == 0u)
                    break;
            }
        }
        barrier();
        c[(gl_WorkGroupID.x * 5u + symbol) * 32u + lane] = range ^ low * 3u ^ count << 20 ^ uint(wide >> 32);
        barrier();
    }
}

// Lanes leave a loop one after the other; in each round the last but one of them writes.
void leavers()
{
    uint steps = 0u;
    if (lane == 0u) {
        count = 7u;
        last = 0u;
    }
    barrier();
    for (;;) {
        if (lane == 30u)
            count = count * 3u + steps;
        if (steps >= lane)
            break;
        if (lane == 31u)
            last += count ^ steps;
        steps++;
    }
    barrier();
    c[gl_WorkGroupID.x * 32u + lane] = count + last * 5u + steps;
}

// A value of each lane is no scalar: the word is what the one that writes has.
void by_lanes()
{
    uint sum = 0u;
    for (uint n = 0u; n < 8u; n++) {
        if (lane == 0u)
            last = n;
        barrier();
        sum = sum * 3u + last;
        barrier();
        if (lane == n * 4u)
            last = a[lane] + sum;
        else if (lane == n)
            count = lane * 3u + last - last;
        barrier();
        sum += last ^ (n == 0u ? 0u : count);
        barrier();
    }
    c[gl_WorkGroupID.x * 32u + lane] = sum;
}

// Both arms of an IF where lanes part, and the words that each of them writes.
void arms()
{
    if (lane == 0u) {
        range = 1u;
        low = 2u;
        count = 3u;
    }
    barrier();
    uint sum = 0u;
    for (uint n = 0u; n < 6u; n++) {
        if (lane < 16u) {
            if (lane == 5u)
                low = low * 5u + range;
        } else {
            if (lane == 20u)
                count = count * 7u + n + range;
        }
        barrier();
        sum += low ^ count;
        barrier();
        if (lane == 9u)
            range = range * 3u + low + count;
        barrier();
    }
    c[gl_WorkGroupID.x * 32u + lane] = sum + range;
}

// Neighbours by an index that varies, a word in a vector, one that atomics take, one of 64 bits.
void neighbours()
{
    if (lane < 8u)
        state[lane] = lane + a[lane];
    if (lane == 1u) {
        last = 5u;
        wide = 0x123456789abcdeful;
        pair = uvec2(1u, 2u);
        count = 0u;
        around[0] = 1u;
        around[1] = 0u;
    }
    barrier();
    if (lane == 1u) {
        for (uint n = 0u; n < 12u; n++) {
            last = last * 5u + state[(last + n) & 7u];
            state[last & 7u] += state[2] ^ last;
            wide = wide * 6364136223846793005ul + last;
            pair.y += last;
            pair = pair.yx;
            around[n & 1u] += around[0] + n;
        }
    }
    barrier();
    atomicAdd(count, last & 3u);
    barrier();
    uint high = uint(wide >> 32);
    c[gl_WorkGroupID.x * 32u + lane] =
        last + state[lane & 7u] ^ high ^ uint(wide) ^ pair.x ^ pair.y * 3u ^ count ^ around[0] ^ around[1] << 3;
}

// Scalars that change their names: in and behind loops and IFs, places that are changed about, a
// way round and a way out, values that are wanted behind what becomes of them.
void scalars()
{
    if (lane == 2u)
        pair = uvec2(a[gl_WorkGroupID.x], a[gl_WorkGroupID.x + 1u]);
    barrier();
    uvec2 two = pair;
    uint sum = 1u, old = 0u, turns = 0u;
    uint64_t bits = 0x9e3779b97f4a7c15ul + two.x;
    for (uint n = 0u; n < 20u; n++) {
        uint before = sum;
        if ((two.x & 1u) != 0u) {
            two = two.yx; // in a circle
            sum = sum * 3u + old;
        } else if (two.y > sum) {
            two.x = two.x / 2u + n;
            old = sum;
        }
        for (uint k = two.x & 3u; k > 0u; k--) {
            bits = bits >> 3 ^ bits << 61;
            if ((bits & 4ul) == 0ul)
                continue;
            sum += uint(bits & 255ul);
            if (sum % 11u == 3u)
                break;
            turns++;
        }
        two.x += before >> 1;
        old ^= before;
        if (turns > 17u)
            break;
    }
    c[gl_WorkGroupID.x * 32u + lane] =
        sum ^ old * 3u ^ turns << 9 ^ two.x ^ two.y * 5u ^ uint(bits) ^ uint(bits >> 32);
}

// What a loop counts is another number for each of the lanes, which leave it one after the other.
void counts()
{
    uint steps = 0u, sum = 0u;
    while (steps < lane)
        steps++;
    if (lane == 5u)
        last = steps;
    barrier();
    sum = last;
    barrier();
    if (lane == 9u)
        count = steps;
    barrier();
    if (lane == 30u)
        range = count * 100u + steps;
    barrier();
    c[gl_WorkGroupID.x * 32u + lane] = sum * 5u + range;
}

void main()
{
    if (PART == 0u)
        coder();
    else if (PART == 1u)
        leavers();
    else if (PART == 2u)
        by_lanes();
    else if (PART == 3u)
        arms();
    else if (PART == 4u)
        neighbours();
    else if (PART == 5u)
        scalars();
    else
        counts();
}
