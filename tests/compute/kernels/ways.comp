#version 450
// SPDX-License-Identifier: MIT
// Values that one of two ways changes, where all lanes go the same way; in a loop too.
layout(local_size_x = 64) in;
layout(constant_id = 0) const bool HAS_LOOP = false;
layout(binding = 0, std430) buffer Values { uvec4 values[]; };
layout(push_constant) uniform P {
    uint mask;
    uint rounds;
};
uint mix_of(uint n, uint k)
{
    n = (n ^ n >> 3) * (2 * k + 3) + n / (k + 3);
    n = (n ^ n >> 5) * (4 * k + 5) + n % (k + 7);
    return (n ^ n >> 7) * (8 * k + 9) + n / (k + 11);
}
#define TAKES(k) ((mask >> k & 1) != 0)
#define WAYS(k) \
    if (TAKES(k)) \
        v.x = mix_of(v.x, k); \
    if (TAKES(k)) \
        ; \
    else \
        v.y = mix_of(v.y, k); \
    if (TAKES(k)) \
        v.z = mix_of(v.z, k); \
    else \
        v.z = mix_of(v.z, k + 16);
void main()
{
    uint i = gl_GlobalInvocationID.x;
    uvec4 v = values[i];
    WAYS(0) WAYS(1) WAYS(2) WAYS(3)
    for (uint round = 0; HAS_LOOP && round < rounds; round++) {
        WAYS(4)
        if (v.x % 5 == v.w % 5) {
            v.w += v.y;
            break;
        }
        uint old = v.x;
        WAYS(5)
        if (TAKES(6)) // reads what it goes on from twice
            v.w = mix_of(old, 6) + v.x;
    }
    WAYS(7)
    values[i] = v;
}
