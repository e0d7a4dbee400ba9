// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x=16,local_size_y=16) in;
layout(set=0,binding=0) readonly buffer A{float a[];};
layout(set=0,binding=1) readonly buffer B{float b[];};
layout(set=0,binding=2) buffer C{float c[];};
layout(push_constant) uniform P{uint N;};
shared float ta[16][16], tb[16][16];
void main(){ uint x=gl_LocalInvocationID.x,y=gl_LocalInvocationID.y; uint col=gl_WorkGroupID.x*16u+x,row=gl_WorkGroupID.y*16u+y; float acc=0;
 for(uint t=0;t<N;t+=16u){ ta[y][x]=a[row*N+t+x]; tb[y][x]=b[(t+y)*N+col]; barrier(); for(uint k=0;k<16u;k++) acc+=ta[y][k]*tb[k][x]; barrier(); } c[row*N+col]=acc; }
