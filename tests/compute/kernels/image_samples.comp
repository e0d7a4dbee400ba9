#version 450
// SPDX-License-Identifier: MIT
// Samples, gathers, fetches and accesses of images of every dimension, at places from a buffer.
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(binding = 0) uniform sampler1D line0;
layout(binding = 0) uniform sampler1DArray lines0;
layout(binding = 0) uniform sampler2D plane0;
layout(binding = 0) uniform sampler2DArray planes0;
layout(binding = 0) uniform sampler2DShadow shade0;
layout(binding = 0) uniform sampler2DArrayShadow shades0;
layout(binding = 0) uniform sampler3D volume0;
layout(binding = 0) uniform samplerCube cube0;
layout(binding = 0) uniform samplerCubeArray cubes0;
layout(binding = 0) uniform samplerCubeShadow cube_shade0;
layout(binding = 1) uniform image1D line1;
layout(binding = 1) uniform image1DArray lines1;
layout(binding = 1) uniform image2D plane1;
layout(binding = 1) uniform image2DArray planes1;
layout(binding = 1) uniform image3D volume1;
layout(binding = 1) uniform imageCube cube1;
layout(binding = 2, std430) buffer Values { vec4 values[]; };
struct Place {
    vec4 at;    // coordinates
    ivec4 texel; // of those that are whole numbers
    float lod;
    float dref;
    int level;
    int pad;
    vec4 dx;
    vec4 dy;
};
layout(binding = 3, std430) buffer Places { Place places[]; };
layout(push_constant) uniform P {
    int width;
    int operation;
    int skips;
};

vec4 result(Place p)
{
    const ivec2 corners[4] = ivec2[](ivec2(-1, 0), ivec2(2, 1), ivec2(0, -2), ivec2(3, 3));
    switch (operation) {
    case 0: return textureLod(line0, p.at.x, p.lod);
    case 1: return textureLod(lines0, p.at.xw, p.lod);
    case 2: return textureLod(plane0, p.at.xy, p.lod);
    case 3: return textureLod(planes0, p.at.xyw, p.lod);
    case 4: return textureLod(volume0, p.at.xyz, p.lod);
    case 5: return textureLod(cube0, p.at.xyz, p.lod);
    case 6: return textureLod(cubes0, p.at, p.lod);
    case 7: return textureLodOffset(plane0, p.at.xy, p.lod, ivec2(2, -3));
    case 8: return textureLodOffset(volume0, p.at.xyz, p.lod, ivec3(-2, 1, 3));
    case 9: return textureGrad(plane0, p.at.xy, p.dx.xy, p.dy.xy);
    case 10: return textureGrad(cube0, p.at.xyz, p.dx.xyz, p.dy.xyz);
    case 11: return textureGrad(volume0, p.at.xyz, p.dx.xyz, p.dy.xyz);
    case 12: return vec4(textureLod(shade0, vec3(p.at.xy, p.dref), p.lod));
    case 13: return vec4(textureGrad(shades0, vec4(p.at.xyw, p.dref), p.dx.xy, p.dy.xy));
    case 14: return textureGather(plane0, p.at.xy, 1);
    case 15: return textureGatherOffset(planes0, p.at.xyw, ivec2(-4, 2), 2);
    case 16: return textureGatherOffsets(plane0, p.at.xy, corners, 0);
    case 17: return textureGather(cube0, p.at.xyz, 3);
    case 18: return textureGather(shade0, p.at.xy, p.dref);
    case 19: return texelFetch(line0, p.texel.x, p.level);
    case 20: return texelFetch(plane0, p.texel.xy, p.level);
    case 21: return texelFetch(planes0, p.texel.xyw, p.level);
    case 22: return texelFetch(volume0, p.texel.xyz, p.level);
    case 23: return texelFetchOffset(plane0, p.texel.xy, p.level, ivec2(1, -2));
    case 24: return imageLoad(line1, p.texel.x);
    case 25: return imageLoad(lines1, p.texel.xw);
    case 26: return imageLoad(planes1, p.texel.xyw);
    case 27: return imageLoad(volume1, p.texel.xyz);
    case 28: return imageLoad(cube1, p.texel.xyw);
    case 29: return vec4(textureGather(cube_shade0, p.at.xyz, p.dref));
    case 37: return vec4(texture(shades0, vec4(p.at.xyw, p.dref)));
    default: return texture(plane0, p.at.xy);
    }
}

void main()
{
    const ivec2 id = ivec2(gl_GlobalInvocationID);
    const int k = id.y * width + id.x;
    if (skips != 0 && (id.x + id.y) % 3 == 1)
        return;
    switch (operation) {
    case 31: imageStore(line1, places[k].texel.x, values[k]); break;
    case 32: imageStore(lines1, places[k].texel.xw, values[k]); break;
    case 33: imageStore(plane1, places[k].texel.xy, values[k]); break;
    case 34: imageStore(planes1, places[k].texel.xyw, values[k]); break;
    case 35: imageStore(volume1, places[k].texel.xyz, values[k]); break;
    case 36: imageStore(cube1, places[k].texel.xyw, values[k]); break;
    default: values[k] = result(places[k]); break;
    }
}
