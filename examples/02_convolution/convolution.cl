// 2D convolution of an image with a FILTER_W x FILTER_H filter; the input carries a border of half a filter, so that it is
// FILTER_W - 1 wider and FILTER_H - 1 higher than the output.
// A thread computes TILE_X columns (block_size_x apart, so that accesses coalesce) of TILE_Y neighbouring rows: one column
// of inputs in registers serves all of them. The filter lies in constant memory. Tiles divide the image (constraints).
#include "wattune/portable.h"

#define INPUT_W (WIDTH + FILTER_W - 1)
#define TILE_W (block_size_x * TILE_X + FILTER_W - 1)  // inputs a block needs
#define TILE_H (block_size_y * TILE_Y + FILTER_H - 1)
#define STRIDE (TILE_W + PADDING)
#define THREADS (block_size_x * block_size_y)

#if READ_ONLY == 1
#define FROM_IMAGE(index) wt_load_readonly(input + (index))
#else
#define FROM_IMAGE(index) input[index]
#endif

WT_CONSTANT_ARRAY(float, filter, FILTER_W *FILTER_H)

// `input` is not WT_RESTRICT: the compiler would then choose the read-only path by itself, which READ_ONLY decides here.
WT_KERNEL_BLOCK(block_size_x, block_size_y, 1)
convolution(WT_GLOBAL const float *input, WT_GLOBAL float *output WT_CONSTANT_ARGUMENT(float, filter)) {
  const int x0 = wt_group_id(0) * block_size_x * TILE_X;
  const int y0 = wt_group_id(1) * block_size_y * TILE_Y;
  const int x = wt_local_id(0);
  const int y = wt_local_id(1) * TILE_Y;

#if STAGE == 1
  WT_LOCAL WT_ALIGN(16) float tile[TILE_H * STRIDE];
  for (int i = y / TILE_Y * block_size_x + x; i < TILE_H * (TILE_W / VECTOR); i += THREADS) {
    const int row = i / (TILE_W / VECTOR);
    const int column = i % (TILE_W / VECTOR) * VECTOR;
#if VECTOR == 4
    *(WT_LOCAL_PTR float4 *)(tile + row * STRIDE + column) =
        *(WT_GLOBAL const float4 *)(input + (y0 + row) * INPUT_W + x0 + column);
#elif VECTOR == 2
    *(WT_LOCAL_PTR float2 *)(tile + row * STRIDE + column) =
        *(WT_GLOBAL const float2 *)(input + (y0 + row) * INPUT_W + x0 + column);
#else
    tile[row * STRIDE + column] = FROM_IMAGE((y0 + row) * INPUT_W + x0 + column);
#endif
  }
  wt_barrier();
#define PIXEL(row, column) tile[(row)*STRIDE + (column)]
#else
#define PIXEL(row, column) FROM_IMAGE((y0 + (row)) * INPUT_W + x0 + (column))
#endif

  float sum[TILE_X * TILE_Y];
  WT_UNROLL_FULL
  for (int i = 0; i < TILE_X * TILE_Y; ++i) sum[i] = 0.0f;

  WT_UNROLL(UNROLL)
  for (int j = 0; j < FILTER_W; ++j) {
    WT_UNROLL_FULL
    for (int tx = 0; tx < TILE_X; ++tx) {
      float column[TILE_Y + FILTER_H - 1];
      WT_UNROLL_FULL
      for (int i = 0; i < TILE_Y + FILTER_H - 1; ++i) column[i] = PIXEL(y + i, x + tx * block_size_x + j);
      WT_UNROLL_FULL
      for (int i = 0; i < FILTER_H; ++i) {
        WT_UNROLL_FULL
        for (int ty = 0; ty < TILE_Y; ++ty) {
          sum[ty * TILE_X + tx] = wt_fma(column[ty + i], filter[i * FILTER_W + j], sum[ty * TILE_X + tx]);
        }
      }
    }
  }

  WT_UNROLL_FULL
  for (int ty = 0; ty < TILE_Y; ++ty) {
    WT_UNROLL_FULL
    for (int tx = 0; tx < TILE_X; ++tx) output[(y0 + y + ty) * WIDTH + x0 + x + tx * block_size_x] = sum[ty * TILE_X + tx];
  }
}

// One thread a pixel, straight from the definition: what the tuned kernel is held to.
WT_KERNEL convolution_reference(WT_GLOBAL const float *input, WT_GLOBAL float *output WT_CONSTANT_ARGUMENT(float, filter)) {
  const int x = wt_global_id(0);
  const int y = wt_global_id(1);
  float sum = 0.0f;
  for (int i = 0; i < FILTER_H; ++i) {
    for (int j = 0; j < FILTER_W; ++j) sum = wt_fma(input[(y + i) * INPUT_W + x + j], filter[i * FILTER_W + j], sum);
  }
  output[y * WIDTH + x] = sum;
}
