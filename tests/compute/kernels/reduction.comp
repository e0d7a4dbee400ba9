#version 450
// SPDX-License-Identifier: MIT
// Reductions in workgroup memory, with each operation; how many lanes begin is given. The memory
// is written out: every step shows.
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(constant_id = 2) const uint FIRST = 128u;
layout(std430, binding = 0) readonly buffer A { uint a[]; };
layout(std430, binding = 1) readonly buffer F { float f[]; };
layout(std430, binding = 2) buffer C { uint c[]; };
layout(std430, binding = 3) buffer D { float d[]; };
layout(push_constant) uniform P { uint count; };
const uint SIZE = gl_WorkGroupSize.x * gl_WorkGroupSize.y;
shared uint words[SIZE];
shared float numbers[SIZE];

#define REDUCTION(memory, expression) \
    for (uint s = FIRST; s > 0u; s >>= 1) { \
        if (l < s) { \
            memory[l] = expression; \
        } \
        barrier(); \
    }
#define WORDS(slot, expression) \
    words[l] = value; \
    barrier(); \
    REDUCTION(words, expression) \
    c[(slot) * count + i] = words[l]; \
    barrier();
#define NUMBERS(slot, expression) \
    numbers[l] = number; \
    barrier(); \
    REDUCTION(numbers, expression) \
    d[(slot) * count + i] = numbers[l]; \
    barrier();

void main()
{
    uint l = gl_LocalInvocationIndex;
    uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * SIZE + l;
    uint value = a[i];
    float number = f[i];
    WORDS(0u, words[l] + words[l + s])
    WORDS(1u, min(words[l], words[l + s]))
    WORDS(2u, max(words[l], words[l + s]))
    WORDS(3u, uint(min(int(words[l]), int(words[l + s]))))
    WORDS(4u, uint(max(int(words[l + s]), int(words[l]))))
    WORDS(5u, words[l + s] & words[l])
    WORDS(6u, words[l] | words[l + s])
    WORDS(7u, words[l] ^ words[l + s])
    NUMBERS(0u, numbers[l] + numbers[l + s])
    NUMBERS(1u, min(numbers[l + s], numbers[l]))
    NUMBERS(2u, max(numbers[l], numbers[l + s]))
    NUMBERS(3u, numbers[l + s] * numbers[l])
    // Further off than a step is wide; then with a lane left out.
    words[l] = value;
    barrier();
    if (l < FIRST / 2u)
        words[l] += words[l + FIRST];
    barrier();
    if (l < FIRST / 4u)
        words[l] += words[l + FIRST / 2u];
    barrier();
    if (l != 3u) {
        if (l < 2u)
            words[l] += words[l + 5u];
        if (l < 1u)
            words[l] += words[l + 6u];
    }
    barrier();
    c[8u * count + i] = words[l];
}
