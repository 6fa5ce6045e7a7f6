// Transpose of a SIZE x SIZE matrix: no arithmetic, only the order of memory accesses.
// A block reads a tile of TILE_Y rows x TILE_X columns in vectors of READ numbers and writes it, through local memory, as
// TILE_X rows x TILE_Y columns in vectors of WRITE numbers. The block's threads are one row that wraps around the tile.
// Tiles divide the matrix (constraints).
#include "wattune/portable.h"

#define STRIDE (TILE_X + PADDING)
#define MOVES_IN (TILE_X * TILE_Y / (READ * block_size_x))
#define MOVES_OUT (TILE_X * TILE_Y / (WRITE * block_size_x))
#define BLOCKS_X (SIZE / TILE_X)
#define BLOCKS_Y (SIZE / TILE_Y)

WT_KERNEL_BLOCK(block_size_x, 1, 1)
transpose(const WT_GLOBAL float *WT_RESTRICT input, WT_GLOBAL float *WT_RESTRICT output) {
  WT_LOCAL float tile[TILE_Y * STRIDE];
  const int thread = wt_local_id(0);
#if ORDER == 0  // along the rows of the input
  const int block_x = wt_group_id(0);
  const int block_y = wt_group_id(1);
#elif ORDER == 1  // along the rows of the output
  const int block = wt_group_id(1) * BLOCKS_X + wt_group_id(0);
  const int block_x = block / BLOCKS_Y;
  const int block_y = block % BLOCKS_Y;
#else  // along diagonals, so that neither side keeps to few memory channels
  const int block_y = wt_group_id(1);
  const int block_x = (wt_group_id(0) + block_y) % BLOCKS_X;
#endif
  const int x0 = block_x * TILE_X;
  const int y0 = block_y * TILE_Y;

  WT_UNROLL(UNROLL)
  for (int i = 0; i < MOVES_IN; ++i) {
    const int at = i * block_size_x + thread;
    const int row = at / (TILE_X / READ);
    const int column = at % (TILE_X / READ) * READ;
    const WT_GLOBAL float *from = input + (y0 + row) * SIZE + x0 + column;
    WT_LOCAL_PTR float *to = tile + row * STRIDE + column;
#if READ == 4
    const float4 moved = *(const WT_GLOBAL float4 *)from;
    to[0] = moved.x, to[1] = moved.y, to[2] = moved.z, to[3] = moved.w;
#elif READ == 2
    const float2 moved = *(const WT_GLOBAL float2 *)from;
    to[0] = moved.x, to[1] = moved.y;
#else
    to[0] = from[0];
#endif
  }
  wt_barrier();
  WT_UNROLL(UNROLL)
  for (int i = 0; i < MOVES_OUT; ++i) {
    const int at = i * block_size_x + thread;
    const int row = at / (TILE_Y / WRITE);
    const int column = at % (TILE_Y / WRITE) * WRITE;
    WT_LOCAL_PTR const float *from = tile + column * STRIDE + row;
    WT_GLOBAL float *to = output + (x0 + row) * SIZE + y0 + column;
#if WRITE == 4
    *(WT_GLOBAL float4 *)to = wt_make_float4(from[0], from[STRIDE], from[2 * STRIDE], from[3 * STRIDE]);
#elif WRITE == 2
    *(WT_GLOBAL float2 *)to = wt_make_float2(from[0], from[STRIDE]);
#else
    to[0] = from[0];
#endif
  }
}

// One thread an element, straight from the definition: what the tuned kernel is held to.
WT_KERNEL transpose_reference(const WT_GLOBAL float *WT_RESTRICT input, WT_GLOBAL float *WT_RESTRICT output) {
  const int x = wt_global_id(0);
  const int y = wt_global_id(1);
  output[x * SIZE + y] = input[y * SIZE + x];
}
