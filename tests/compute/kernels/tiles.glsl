// SPDX-License-Identifier: MIT
// Expressions of one to three operands, read by tiles.comp and by tiles.c: I by their bits, F as
// floats, B as conditions. S: operands behind the first are 0 to 15.
I1(-a) I1(~a) I1(float_bits(float(a_int()))) I1(float_bits(float(a)))
I1(uint(abs(a_int()))) I1(uint(int(float(a & 0xffffu) * 0.37f))) I1(uint(float(a) * 0.75f))
I1((a & 255u) * 129u) I1((a >> 20) * 0x8001u) I1(uint(a_int() >> 20) * 77u)
I2(a + b) I2(a - b) I2(a * b) I2(a & b) I2(a | b) I2(a ^ b) I2(min(a, b)) I2(max(a, b))
I2(uint(min(int(a), int(b)))) I2(uint(max(int(a), int(b))))
S2(a << b) S2(a >> b) S2(uint(int(a) >> int(b))) S2(a ^ (a << b)) S2(a ^ (a >> b))
F1(-a) F1(abs(a)) F1(floor(a)) F1(ceil(a)) F1(trunc(a)) F1(roundEven(a)) F1(sqrt(a)) F1(a * a)
F2(a + b) F2(a - b) F2(a * b) F2(a / b) F2(min(a, b)) F2(max(a, b))
B2(a == b) B2(a != b) B2(a < b) B2(a <= b) B2(a > b) B2(a >= b)
B2(int(a) < int(b)) B2(int(a) <= int(b)) B2(int(a) > int(b))
G2(a == b) G2(a != b) G2(a < b) G2(a <= b) G2(a > b) G2(a >= b)
I3(a * b + c) I3(a + b + c) I3(min(max(a, b), c)) I3(uint(min(max(int(a), int(b)), int(c))))
S3((a << b) + c) S3((a << b) | c) S3((a >> b) & c) S3((a + b) >> c) S3(uint(int(a + b) >> int(c)))
S3(field_of(a, b, c)) S3(uint(signed_field_of(a, b, c)))
S3((a ^ (a << b)) ^ ((a ^ (a << b)) >> c)) S3((a ^ (a >> b)) ^ ((a ^ (a >> b)) << c))
F3(a * b + c) F3(a * b - c) F3(a + b + c) F3(a - b + c) F3((a + b) * c) F3(min(max(a, b), c))
