// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x=8,local_size_y=4) in;
struct S{ vec3 p; float w; mat2x3 m; uint k[4]; };
layout(set=0,binding=0,std430,row_major) readonly buffer A{ S s[]; };
layout(set=0,binding=1,std140) uniform U{ mat4 M; vec4 v[4]; } ub;
layout(set=0,binding=2) buffer C{float c[];};
const float tab[9]=float[](0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9);
layout(constant_id=3) const uint K=5; layout(constant_id=4) const float F=2.5;
float g; S priv;
void main(){ uint i=gl_LocalInvocationIndex+32u*gl_WorkGroupID.x; S a=s[i]; g=a.w; priv=a; priv.p[i%3u]+=F; vec4 r=ub.M*vec4(priv.p,1.0)+ub.v[i&3u]; float t=tab[i%9u]*float(K); t+=dot(a.m*vec2(1,2),a.p)+g; uvec2 o=uvec2(a.k[i&3u],a.k[3]); t+=float(o.x+o.y)+length(a.p)+r[i&3u]+float(s.length()); bvec3 bb=lessThan(a.p,vec3(0.5)); if(any(bb)) t+=1.0; if(all(not(bb))) t-=2.0; c[i]=t+float(bitCount(i)+findMSB(i)+bitfieldExtract(int(i*77u),2,5)+int(bitfieldInsert(i,7u,3,4))+int(packUnorm4x8(vec4(t)*0.01)&15u)); }
