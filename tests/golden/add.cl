// Kernel of the golden runs: each work-item adds `work` elements, a block apart.
__kernel void add(__global const float* a, __global const float* b, __global float* c) {
  const int base = get_group_id(0) * block_size_x * work + get_local_id(0);
  for (int i = 0; i < work; ++i) c[base + i * block_size_x] = a[base + i * block_size_x] + b[base + i * block_size_x];
}

__kernel void add_reference(__global const float* a, __global const float* b, __global float* c) {
  const int i = get_global_id(0);
  c[i] = a[i] + b[i];
}
