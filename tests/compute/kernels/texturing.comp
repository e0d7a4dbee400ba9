// SPDX-License-Identifier: MIT
// Each way to sample, on images whose levels and layers are of one colour or a slope.
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(derivative_group_quadsNV) in;
layout(set = 0, binding = 0) uniform sampler2DArray layers;
layout(set = 0, binding = 0) uniform sampler2DArrayShadow shadows;
layout(set = 0, binding = 1) uniform sampler2D slope;
layout(set = 0, binding = 1) uniform sampler2DShadow shade;
layout(set = 0, binding = 2) writeonly buffer C { vec4 c[]; };
layout(set = 0, binding = 3) uniform sampler3D volume;
layout(set = 0, binding = 3) uniform samplerCube cube;
layout(push_constant) uniform Push { uint operation; };

// Footprints of powers of two, and between them.
vec2 grad(uint n, vec2 size)
{
    return exp2(float(n) * 0.25 - 1.0) / size;
}

void main()
{
    const uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y, i = 8 * y + x;
    const vec2 place = vec2(x + 3, y + 2) / 16.0 + 0.01;
    const vec3 at = vec3(0.3, 0.6, float(i % 7) - 1.3);
    const vec2 dx = vec2(grad(x, vec2(16, 8)).x, 0), dy = vec2(0, grad(y, vec2(16, 8)).y);
    const ivec2 corners[4] = ivec2[](ivec2(-1, 0), ivec2(2, 1), ivec2(0, -2), ivec2(3, 3));
    vec4 r = vec4(0);

    switch (operation) {
    case 0u:
        r = textureLod(layers, at, float(i) * 0.125 - 1.0);
        break;
    case 1u:
        r = textureGrad(layers, at, dx, dy);
        break;
    case 2u:
        r.x = textureGrad(shadows, vec4(at, float(i) * 0.5), dx, dy);
        break;
    case 3u:
        r = textureGatherOffsets(slope, place, corners, 1);
        break;
    case 4u:
        r = textureGather(shade, place, 5.5);
        break;
    case 5u:
        r = textureProjLod(slope, vec3(place, 1) * (1.0 + float(i)), 0.0);
        break;
    case 6u:
        r = textureLodOffset(slope, place, 0.0, ivec2(2, -1));
        break;
    case 7u:
        r = textureLod(volume, (vec3(x, y, i % 5) * 0.37 + 0.6) / vec3(8, 8, 4), 0.0);
        break;
    case 8u:
        r = textureLod(cube, vec3(x, y, i % 3) - vec3(3.25, 3.5, 0.75), 0.0);
        break;
    case 9u:
        r.xy = textureQueryLod(layers, vec2(x, y) * exp2(float(y / 2)) / vec2(16, 8) * 0.5);
        r.zw = vec2(textureQueryLevels(layers), textureSize(layers, 1).z);
        break;
    case 10u:
        r = texture(layers, vec3(vec2(x, y) * exp2(float(y / 2)) / vec2(16, 8) * 0.5, 1), 0.25);
        break;
    case 11u:
        r = vec4(textureSize(layers, 1), textureSize(volume, 0).z);
        break;
    case 12u:
        r = textureGather(layers, at, 2);
        break;
    case 14u: // of level -15
        r = texture(layers, vec3(vec2(x, y) * exp2(-15.0) / vec2(16, 8), 1), 1.0);
        break;
    default:
        r = textureGradOffset(slope, place, vec2(0), vec2(0), ivec2(-1, 1));
        break;
    }
    c[i] = r;
}
