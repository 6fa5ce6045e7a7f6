// Hotspot: the temperature of a chip, from its power map, by an explicit 5-point stencil; STEPS time steps a launch.
// A block keeps a patch of cells in registers (TILE_X x TILE_Y a thread) and throws away the outer STEPS cells, which its
// neighbours compute as well. Threads exchange their edges through local memory every TIME_TILE steps; between two
// exchanges each also advances the cells around its own, so a larger TIME_TILE trades arithmetic for barriers.
// Boundaries are insulated. Reading beyond an edge yields the mirrored cell, temperature and power alike, which stays
// mirrored in every step: the update needs no branch. Any grid size is handled.
#include "wattune/portable.h"

#define PATCH_X (block_size_x * TILE_X)
#define PATCH_Y (block_size_y * TILE_Y)
#define WINDOW_X (TILE_X + 2 * TIME_TILE)  // a thread's cells and those around them
#define WINDOW_Y (TILE_Y + 2 * TIME_TILE)
#define POWER_X (WINDOW_X - 2)
#define POWER_Y (WINDOW_Y - 2)

// Local memory: rows of PATCH_X cells with a margin of TIME_TILE. In stripes, cells TILE_X apart are neighbours, so that
// a warp's accesses fall into different banks.
#define STRIPE ((PATCH_X + 2 * TIME_TILE + TILE_X - 1) / TILE_X + PADDING)
#define STRIDE (STRIPE * TILE_X)
#define ROWS (PATCH_Y + 2 * TIME_TILE)
#if STRIPES == 1
#define PLACE(thread, k) (((k) % TILE_X) * STRIPE + (thread) + (k) / TILE_X)
#else
#define PLACE(thread, k) ((thread)*TILE_X + (k))
#endif

// Heat flows of one step (dimensionless: time step over thermal resistance and capacity).
#define FLOW_X 0.1f
#define FLOW_Y 0.12f
#define FLOW_Z 0.005f
#define AMBIENT 80.0f
#define HEAT 0.2f

WT_DEVICE int mirrored(int i, int n) { return i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i; }
// Blocks at the far edge may reach beyond the mirror; what they read there is never used.
WT_DEVICE int inside(int i, int n) { return wt_min(wt_max(mirrored(i, n), 0), n - 1); }

WT_KERNEL_BLOCK(block_size_x, block_size_y, 1)
hotspot(const WT_GLOBAL float *WT_RESTRICT temperature, const WT_GLOBAL float *WT_RESTRICT power,
        WT_GLOBAL float *WT_RESTRICT result) {
  WT_LOCAL float shared[BUFFERS * ROWS * STRIDE];
  const int tx = wt_local_id(0);
  const int ty = wt_local_id(1);
  const int x0 = wt_group_id(0) * (PATCH_X - 2 * STEPS) - STEPS + tx * TILE_X;  // first cell of this thread
  const int y0 = wt_group_id(1) * (PATCH_Y - 2 * STEPS) - STEPS + ty * TILE_Y;

  float heat[POWER_Y * POWER_X];
  WT_UNROLL_FULL
  for (int j = 0; j < POWER_Y; ++j) {
    const int y = inside(y0 + j - (TIME_TILE - 1), HEIGHT);
    WT_UNROLL_FULL
    for (int i = 0; i < POWER_X; ++i) {
      const int x = inside(x0 + i - (TIME_TILE - 1), WIDTH);
      heat[j * POWER_X + i] = wt_fma(HEAT, power[y * WIDTH + x], FLOW_Z * AMBIENT);
    }
  }
  float cell[TILE_Y * TILE_X];
  WT_UNROLL_FULL
  for (int j = 0; j < TILE_Y; ++j) {
    const int y = inside(y0 + j, HEIGHT);
    WT_UNROLL_FULL
    for (int i = 0; i < TILE_X; ++i) cell[j * TILE_X + i] = temperature[y * WIDTH + inside(x0 + i, WIDTH)];
  }

  WT_UNROLL(UNROLL)
  for (int step = 0; step < STEPS / TIME_TILE; ++step) {
    WT_LOCAL_PTR float *now = shared + (BUFFERS == 2 ? step % 2 : 0) * (ROWS * STRIDE);
    if (BUFFERS == 1 && step > 0) wt_barrier();
    WT_UNROLL_FULL
    for (int j = 0; j < TILE_Y; ++j) {
      WT_UNROLL_FULL
      for (int i = 0; i < TILE_X; ++i) now[(ty * TILE_Y + j + TIME_TILE) * STRIDE + PLACE(tx, i + TIME_TILE)] = cell[j * TILE_X + i];
    }
    wt_barrier();

    // Own cells from registers, those around them from local memory.
    float window[WINDOW_Y * WINDOW_X];
    WT_UNROLL_FULL
    for (int j = 0; j < WINDOW_Y; ++j) {
      WT_UNROLL_FULL
      for (int i = 0; i < WINDOW_X; ++i) {
        const int own_j = j - TIME_TILE;
        const int own_i = i - TIME_TILE;
        if (own_j >= 0 && own_j < TILE_Y && own_i >= 0 && own_i < TILE_X) {
          window[j * WINDOW_X + i] = cell[own_j * TILE_X + own_i];
        } else {
          window[j * WINDOW_X + i] = now[(ty * TILE_Y + j) * STRIDE + PLACE(tx, i)];
        }
      }
    }
    WT_UNROLL_FULL
    for (int s = 1; s <= TIME_TILE; ++s) {
      float next[WINDOW_Y * WINDOW_X];
      WT_UNROLL_FULL
      for (int j = s; j < WINDOW_Y - s; ++j) {
        WT_UNROLL_FULL
        for (int i = s; i < WINDOW_X - s; ++i) {
          const int c = j * WINDOW_X + i;
          const float rest = wt_fma(1.0f - 2.0f * FLOW_X - 2.0f * FLOW_Y - FLOW_Z, window[c], heat[(j - 1) * POWER_X + i - 1]);
          next[c] = wt_fma(FLOW_X, window[c - 1] + window[c + 1], wt_fma(FLOW_Y, window[c - WINDOW_X] + window[c + WINDOW_X], rest));
        }
      }
      WT_UNROLL_FULL
      for (int j = s; j < WINDOW_Y - s; ++j) {
        WT_UNROLL_FULL
        for (int i = s; i < WINDOW_X - s; ++i) window[j * WINDOW_X + i] = next[j * WINDOW_X + i];
      }
    }
    WT_UNROLL_FULL
    for (int j = 0; j < TILE_Y; ++j) {
      WT_UNROLL_FULL
      for (int i = 0; i < TILE_X; ++i) cell[j * TILE_X + i] = window[(j + TIME_TILE) * WINDOW_X + i + TIME_TILE];
    }
  }

  WT_UNROLL_FULL
  for (int j = 0; j < TILE_Y; ++j) {
    const int row = ty * TILE_Y + j;
    if (row < STEPS || row >= PATCH_Y - STEPS || y0 + j >= HEIGHT) continue;
    WT_UNROLL_FULL
    for (int i = 0; i < TILE_X; ++i) {
      const int column = tx * TILE_X + i;
      if (column >= STEPS && column < PATCH_X - STEPS && x0 + i < WIDTH) result[(y0 + j) * WIDTH + x0 + i] = cell[j * TILE_X + i];
    }
  }
}

// One thread a cell: it advances all cells that its own depends on, with the insulated boundary spelt out.
WT_KERNEL hotspot_reference(const WT_GLOBAL float *WT_RESTRICT temperature, const WT_GLOBAL float *WT_RESTRICT power,
                            WT_GLOBAL float *WT_RESTRICT result) {
  const int side = 2 * STEPS + 1;
  const int x0 = wt_global_id(0) - STEPS;
  const int y0 = wt_global_id(1) - STEPS;
  float cells[2][(2 * STEPS + 1) * (2 * STEPS + 1)];
  for (int j = 0; j < side; ++j) {
    for (int i = 0; i < side; ++i) {
      const int x = wt_min(wt_max(x0 + i, 0), WIDTH - 1);
      const int y = wt_min(wt_max(y0 + j, 0), HEIGHT - 1);
      cells[0][j * side + i] = temperature[y * WIDTH + x];
    }
  }
  for (int s = 1; s <= STEPS; ++s) {
    const int from = (s - 1) % 2;
    for (int j = s; j < side - s; ++j) {
      for (int i = s; i < side - s; ++i) {
        const int x = x0 + i;
        const int y = y0 + j;
        if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT) continue;
        const float here = cells[from][j * side + i];
        const float west = x > 0 ? cells[from][j * side + i - 1] : here;
        const float east = x < WIDTH - 1 ? cells[from][j * side + i + 1] : here;
        const float north = y > 0 ? cells[from][(j - 1) * side + i] : here;
        const float south = y < HEIGHT - 1 ? cells[from][(j + 1) * side + i] : here;
        cells[1 - from][j * side + i] = here + HEAT * power[y * WIDTH + x] + FLOW_X * (west + east - 2.0f * here) +
                                        FLOW_Y * (north + south - 2.0f * here) + FLOW_Z * (AMBIENT - here);
      }
    }
  }
  result[wt_global_id(1) * WIDTH + wt_global_id(0)] = cells[STEPS % 2][STEPS * side + STEPS];
}
