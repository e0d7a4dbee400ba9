// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types:require
#extension GL_EXT_shader_16bit_storage:require
#extension GL_EXT_shader_8bit_storage:require
layout(local_size_x=32) in;
layout(set=0,binding=0) readonly buffer A{uint a[];};
layout(set=0,binding=1) buffer B{uint8_t b8[4096]; int16_t b16[4096]; float16_t bh[4096]; double bd[4096]; int64_t bl[4096];};
layout(set=0,binding=2) buffer C{uint c[];};
void main(){ uint i=gl_GlobalInvocationID.x; uint v=a[i]; int8_t x=int8_t(v); uint8_t y=uint8_t(v>>8); int16_t z=int16_t(v>>16);
 int8_t q=x+int8_t(y); q=q/int8_t(3); z=(z>>int16_t(2))*int16_t(5); y=y>>uint8_t(3); b8[i]=uint8_t(q)+y; b16[i]=z; float16_t h=float16_t(float(int(v&1023u))-300.0)*float16_t(0.37); h=h+float16_t(1.5); bh[i]=h/float16_t(3.0);
 double d=double(v)*1.25e-3; d=sqrt(d)+floor(d)*0.5; bd[i]=fma(d,d,-1.0); int64_t l=int64_t(v)*int64_t(v)-int64_t(12345); l=(l>>5)^(l<<7); l=l/int64_t(17)+l%int64_t(1000); bl[i]=l; c[i]=uint(l>>32)+uint(z)+uint(int(q)); }
