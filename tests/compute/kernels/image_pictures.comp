#version 450
// SPDX-License-Identifier: MIT
// Layers of arrays, slices of volumes and texel buffers, read, written and sampled: at places that
// move with the invocation, and at places that a buffer names.
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) uniform sampler2DArray array0;
layout(binding = 0) uniform sampler3D volume0;
layout(binding = 0) uniform textureBuffer buffer0;
layout(binding = 1) uniform image2DArray array1;
layout(binding = 1) uniform image3D volume1;
layout(binding = 1) uniform imageBuffer buffer1;
layout(binding = 2, std430) buffer Values { vec4 values[]; };
layout(binding = 3, std430) buffer Places { ivec4 places[]; };
layout(push_constant) uniform P {
    ivec4 first;
    ivec2 size;
    int operation;
    int skips;
};
void main()
{
    ivec3 id = ivec3(gl_GlobalInvocationID);
    int k = (id.z * size.y + id.y) * size.x + id.x;
    ivec3 line = first.xyz + id;
    if (skips != 0 && (id.x + id.y) % 3 == 1)
        return;
    switch (operation) {
    case 0: values[k] = imageLoad(array1, line); break;
    case 1: values[k] = imageLoad(volume1, line); break;
    case 2: values[k] = imageLoad(buffer1, first.x + k); break;
    case 3: values[k] = imageLoad(array1, places[k].xyz); break;
    case 4: values[k] = imageLoad(volume1, places[k].xyz); break;
    case 5: values[k] = imageLoad(buffer1, places[k].w); break;
    case 6: imageStore(array1, line, values[k]); break;
    case 7: imageStore(volume1, line, values[k]); break;
    case 8: imageStore(buffer1, first.x + k, values[k]); break;
    case 9: values[k] = texelFetch(array0, line, 0); break;
    case 10: values[k] = texelFetch(buffer0, first.x + k); break;
    case 11: values[k] = texelFetch(buffer0, places[k].w); break;
    case 12: values[k] = textureLod(array0, intBitsToFloat(places[k].xyz), 0.0); break;
    case 13: values[k] = textureLod(volume0, intBitsToFloat(places[k].xyz), 0.0); break;
    case 14: values[k] = textureGather(array0, intBitsToFloat(places[k].xyz), 0); break;
    case 15: values[k] = textureGather(array0, intBitsToFloat(places[k].xyz), 1); break;
    case 16: values[k] = textureGather(array0, intBitsToFloat(places[k].xyz), 3); break;
    }
}
