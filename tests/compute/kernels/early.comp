#version 450
// SPDX-License-Identifier: MIT
// Functions that return early what few operations make, as distances to a sphere.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { vec4 points[]; };
layout(std430, binding = 1) buffer Out { vec4 results[]; };

float sphere(vec3 o, float r)
{
    const float b = o.x + o.y, c = dot(o, o) - r * r, q = b * b - c;
    if (q < 0.0)
        return 7.0;
    const float root = sqrt(q), near = -b - root;
    if (near > 0.25)
        return near;
    const float far = root - b;
    return far > 0.25 ? far : 8.0;
}

float step_of(float x, float edge)
{
    if (x < edge)
        return x * 0.5;
    return x - edge;
}

float looped(vec3 o, float w)
{
    float sum = 0.0;
    for (int k = 0; k < 5; k++) {
        if (o.x > w + float(k))
            continue;
        sum += o.y * float(k);
    }
    return sum;
}

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const vec4 p = points[i];
    results[i] = vec4(sphere(p.xyz, p.w), step_of(p.x, p.w), looped(p.xyz, p.w), 0.0);
}
