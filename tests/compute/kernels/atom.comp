// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_shader_atomic_float:enable
layout(local_size_x=128) in;
layout(set=0,binding=0) readonly buffer A{uint a[];};
layout(set=0,binding=2) buffer C{uint c[];};
shared uint h[256];
void main(){ uint l=gl_LocalInvocationIndex; h[l]=0; h[l+128]=0; barrier(); uint v=a[gl_GlobalInvocationID.x]; atomicAdd(h[v&255u],1u); atomicMax(h[(v>>8)&255u],v&7u); barrier(); atomicAdd(c[l],h[l]); atomicAdd(c[l+128],h[l+128]); atomicOr(c[256],v); atomicMin(c[257],v); atomicCompSwap(c[258],0u,v|1u); }
