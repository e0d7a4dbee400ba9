#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_spirv_intrinsics : require
// Rows of 64 packed int8 times one vector. OpSDot with PackedVectorFormat4x8Bit: older compilers
// have no GL_EXT_integer_dot_product.
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6018, 6019],
                  id = 4450) int packed_dot(int a, int b, spirv_literal int format);
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer X { uint rows[]; };
layout(std430, binding = 1) writeonly buffer Y { int y[]; };
layout(push_constant) uniform P { uint n; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= n)
        return;
    int sum = 0;
    for (uint k = 0u; k < 16u; k++)
        sum += packed_dot(int(rows[i * 16u + k]), int(rows[k]), 0);
    y[i] = sum;
}
