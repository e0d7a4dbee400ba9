#version 450
// SPDX-License-Identifier: MIT
// A picture enlarged by Catmull and Rom's cubic, 16 samples for a pixel.
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 8) uniform sampler2D src;
layout(r8, binding = 7) writeonly uniform image2D dst;
layout(push_constant) uniform P { int width; int height; };
vec4 weights(float t)
{
    return vec4(((-0.5 * t + 1.0) * t - 0.5) * t, (1.5 * t - 2.5) * t * t + 1.0,
                ((-1.5 * t + 2.0) * t + 0.5) * t, (0.5 * t - 0.5) * t * t);
}
void main()
{
    const ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (p.x >= width || p.y >= height)
        return;
    const vec2 size = vec2(textureSize(src, 0));
    const vec2 at = (vec2(p) + 0.5) * 0.5 - 0.5, first = floor(at);
    const vec4 wx = weights(at.x - first.x), wy = weights(at.y - first.y);
    float sum = 0.0;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            sum += wx[i] * wy[j] * textureLod(src, (first + vec2(i, j) - 0.5) / size, 0.0).r;
    imageStore(dst, p, vec4(clamp(sum, 0.0, 1.0)));
}
