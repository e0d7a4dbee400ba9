#version 450
// SPDX-License-Identifier: MIT
// Elements of each size, one or some for each invocation, dense and in structures.
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
struct Mixed {
    u8vec4 bytes;
    u16vec2 halves;
    u16vec4 four;
    uint64_t big;
};
layout(std430, binding = 0) readonly buffer A1 { uint8_t a1[]; };
layout(std430, binding = 0) readonly buffer A2 { uint16_t a2[]; };
layout(std430, binding = 0) readonly buffer A4 { u8vec4 a4[]; };
layout(std430, binding = 0) readonly buffer A22 { u16vec2 a22[]; };
layout(std430, binding = 0) readonly buffer A24 { u16vec4 a24[]; };
layout(std430, binding = 0) readonly buffer A8 { uint64_t a8[]; };
layout(std430, binding = 0) readonly buffer A32 { uint a32[]; };
layout(std430, binding = 0) readonly buffer AM { Mixed am[]; };
layout(std430, binding = 2) writeonly buffer C1 { uint8_t c1[]; };
layout(std430, binding = 2) writeonly buffer C2 { uint16_t c2[]; };
layout(std430, binding = 2) writeonly buffer C4 { u8vec4 c4[]; };
layout(std430, binding = 2) writeonly buffer C22 { u16vec2 c22[]; };
layout(std430, binding = 2) writeonly buffer C24 { u16vec4 c24[]; };
layout(std430, binding = 2) writeonly buffer C8 { uint64_t c8[]; };
layout(std430, binding = 2) writeonly buffer C32 { uint c32[]; };
layout(std430, binding = 2) writeonly buffer CM { Mixed cm[]; };
layout(push_constant) uniform P { uint kind; uint count; };
void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i >= count)
        return;
    switch (kind) {
    case 0:
        c1[i] = uint8_t(a1[i] + uint8_t(1));
        break;
    case 1:
        c2[i] = uint16_t(a2[i] + uint16_t(1));
        break;
    case 2:
        c4[i] = a4[i].wzyx + uint8_t(1);
        break;
    case 3:
        c22[i] = a22[i].yx + uint16_t(1);
        break;
    case 4:
        c24[i] = a24[i].wzyx + uint16_t(1);
        break;
    case 5:
        c8[i] = a8[i] + 1ul;
        break;
    case 6:
        cm[i] = Mixed(am[i].bytes + uint8_t(1), am[i].halves + uint16_t(1),
                      am[i].four + uint16_t(1), am[i].big + 1ul);
        break;
    case 7: /* runs of words with gaps */
        if ((i * 5u >> 3) % 7u != 3u)
            c32[i] = a32[i] + 1;
        break;
    }
}
