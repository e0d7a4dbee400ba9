// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x=16,local_size_y=16) in;
layout(set=0,binding=0) readonly buffer A{float a[];};
layout(set=0,binding=2) buffer C{float c[];};
layout(push_constant) uniform P{uint w; uint h;};
shared float t[20][20]; shared float u[20][16];
void main(){ ivec2 l=ivec2(gl_LocalInvocationID.xy); ivec2 org=ivec2(gl_WorkGroupID.xy)*16-2; uint li=gl_LocalInvocationIndex;
 for(uint i=li;i<400u;i+=256u){ ivec2 q=clamp(org+ivec2(i%20u,i/20u),ivec2(0),ivec2(w,h)-1); t[i/20u][i%20u]=a[q.y*int(w)+q.x]; } barrier();
 for(uint i=li;i<320u;i+=256u){ uint y=i/16u,x=i%16u; u[y][x]=0.0625*(t[y][x]+t[y][x+4])+0.25*(t[y][x+1]+t[y][x+3])+0.375*t[y][x+2]; } barrier();
 ivec2 g=ivec2(gl_GlobalInvocationID.xy); if(g.x<w&&g.y<h) c[g.y*w+g.x]=0.0625*(u[l.y][l.x]+u[l.y+4][l.x])+0.25*(u[l.y+1][l.x]+u[l.y+3][l.x])+0.375*u[l.y+2][l.x]; }
