#version 450
// SPDX-License-Identifier: MIT
// RGBA8 to NV12, two by two pixels an invocation, BT.601 narrow in floats.
layout(local_size_x = 16, local_size_y = 16) in;
layout(rgba8, binding = 4) readonly uniform image2D rgba;
layout(r8, binding = 5) writeonly uniform image2D luma;
layout(rg8, binding = 6) writeonly uniform image2D chroma;
layout(push_constant) uniform P { uint width; uint height; };
void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy) * 2;
    if (at.x >= int(width) || at.y >= int(height))
        return;
    vec3 sum = vec3(0.0);
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            vec3 c = imageLoad(rgba, at + ivec2(i, j)).rgb;
            float y = dot(c, vec3(0.257, 0.504, 0.098)) + 0.0625;
            imageStore(luma, at + ivec2(i, j), vec4(y));
            sum += c;
        }
    sum *= 0.25;
    float u = dot(sum, vec3(-0.148, -0.291, 0.439)) + 0.5;
    float v = dot(sum, vec3(0.439, -0.368, -0.071)) + 0.5;
    imageStore(chroma, at / 2, vec4(u, v, 0.0, 0.0));
}
