// SPDX-License-Identifier: MIT
// Functions whose rare operands go another way.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { float b[]; };
layout(push_constant) uniform P { float exponent; };

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const float x = a[i];
    b[8 * i] = sin(x);
    b[8 * i + 1] = cos(x);
    b[8 * i + 2] = tanh(x);
    b[8 * i + 3] = log(x);
    b[8 * i + 4] = log2(x);
    b[8 * i + 5] = atan(x);
    b[8 * i + 6] = pow(x, exponent);
    b[8 * i + 7] = atan(x, exponent);
}
