// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
// Clamped places of buffers and images; most invocations are far from the border.
// WRITES: 1: something is written before it. SHARED: by whole workgroups.
#ifdef SHARED
#define ROWS 16
#else
#define ROWS 4
#endif
layout(local_size_x = 16, local_size_y = ROWS) in;
layout(constant_id = 0) const uint WRITES = 0u;
layout(std430, binding = 0) readonly buffer A { int a[]; };
layout(std430, binding = 1) readonly buffer B { uint8_t b[]; };
layout(std430, binding = 2) buffer C { int c[]; };
layout(r32i, binding = 3) readonly uniform iimage2D image;
layout(push_constant) uniform P { int width; int height; int shift; int low; int high; int taps; };
#ifdef SHARED
shared int sums[16 * ROWS];
#endif

void main()
{
    ivec2 g = ivec2(gl_GlobalInvocationID.xy);
    bool is_inside = g.x < width && g.y < height;
    int place = (g.y * width + g.x) * 6;
    int sum = 0, product = 1, mirrored = 0, limited = 0, texel = 0;
    if (is_inside) {
        if (WRITES != 0u)
            c[place + 5] += 1;
        for (int i = 0; i < 3; i++)
            sum += a[clamp(g.y + i - 1, 0, height - 1) * width +
                     clamp(g.x + i - shift, 0, width - 1)];
        for (int i = 0; i < taps; i++)
            product = product * 3 + int(b[clamp(g.x + i - shift, low, high)]);
        mirrored = a[abs(g.x - shift)];
        limited = a[min(uint(g.x - shift), uint(high))];
        texel = imageLoad(image, clamp(g - ivec2(shift, 1), ivec2(0), ivec2(width, height) - 1)).r;
    }
#ifdef SHARED
    sums[gl_LocalInvocationIndex] = sum;
    barrier();
    sum = sums[gl_LocalInvocationIndex];
#endif
    if (is_inside) {
        c[place] = sum;
        c[place + 1] = product;
        c[place + 2] = mirrored;
        c[place + 3] = limited;
        c[place + 4] = texel;
    }
}
