// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
// One part of recurrences.glsl. Its results are stored as words, and behind them as 16 and 8 bits.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint part = 0;
layout(constant_id = 2) const bool is_narrow = false;
layout(set = 0, binding = 0) readonly buffer A { uint given[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint words[]; };
layout(set = 0, binding = 2) writeonly buffer C { uint16_t halves[]; };
layout(set = 0, binding = 3) writeonly buffer D { uint8_t bytes[]; };
layout(push_constant) uniform P { uint s; uint n; uint count; };

#define U32 uint
#define U16 uint16_t
#define S8 int8_t
#define TO32(e) (e)
#define TO16(e) uint16_t(e)
#define TO8(e) int8_t(e)
#define SX16(e) uint(int(int16_t(e)))
#define SX8(e) uint(int(int8_t(e)))
#define OF8(e) uint(int(e))
#define OF16(e) uint(e)
#define PART(number, statements) if (part == number) { statements }

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= count)
        return;
    uint a = given[2 * i], b = given[2 * i + 1], r0 = 0, r1 = 0;
#include "recurrences.glsl"
    if (is_narrow) {
        halves[i] = uint16_t(r0);
        bytes[i] = uint8_t(r1);
    } else {
        words[2 * i] = r0;
        words[2 * i + 1] = r1;
    }
}
