// SPDX-License-Identifier: MIT
#version 450
#extension GL_KHR_shader_subgroup_arithmetic:require
#extension GL_KHR_shader_subgroup_ballot:require
#extension GL_KHR_shader_subgroup_shuffle:require
#extension GL_KHR_shader_subgroup_vote:require
#extension GL_KHR_shader_subgroup_clustered:require
#extension GL_KHR_shader_subgroup_quad:require
layout(local_size_x=64) in;
layout(set=0,binding=0) readonly buffer A{uint a[];};
layout(set=0,binding=2) buffer C{uint c[];};
void main(){ uint i=gl_GlobalInvocationID.x; uint v=a[i]; uint r=subgroupAdd(v); r=r*31+subgroupInclusiveAdd(v); r=r*31+subgroupExclusiveMax(v); r=r*31+subgroupShuffleXor(v,5u);
 uvec4 b=subgroupBallot((v&1u)!=0u); r=r*31+b.x; r=r*31+subgroupBallotBitCount(b); r=r*31+subgroupBroadcastFirst(v); if(subgroupAll(v<4000000000u)) r+=3u; if((v&2u)!=0u){ r=r*31+subgroupMin(v); if(subgroupElect()) r+=1000u; } r=r*31+subgroupClusteredAdd(v,4u); r+=subgroupQuadSwapHorizontal(v); c[i]=r; }
