// Which points lie in a polygon? Even-odd rule: a ray from the point to the right crosses the outline an odd number of times.
// A thread decides TILE points, block_size_x apart. BETWEEN and TOGGLE choose among equal ways to say "this edge is
// crossed" and "count it"; which one compiles best differs by device. VERTICES_IN chooses where edges are read from.
// All variants compare the same rounded numbers, so results are equal to the last point. Any number of points is handled.
#include "wattune/portable.h"

WT_CONSTANT_ARRAY(float, polygon, 2 * VERTICES)

// Whether the edge from height a to height b crosses the height y.
#if BETWEEN == 0
#define CROSSES(a, b, y) (((a) > (y)) != ((b) > (y)))
#elif BETWEEN == 1
#define CROSSES(a, b, y) ((((a) <= (y)) && ((b) > (y))) || (((b) <= (y)) && ((a) > (y))))
#else
#define CROSSES(a, b, y) (wt_min(a, b) <= (y) && (y) < wt_max(a, b))
#endif

#if TOGGLE == 0  // branches
#define COUNT(inside, crosses, left) \
  if (crosses) {                     \
    if (left) inside ^= 1;           \
  }
#elif TOGGLE == 1  // one condition
#define COUNT(inside, crosses, left) \
  if ((crosses) && (left)) inside ^= 1;
#elif TOGGLE == 2  // arithmetic
#define COUNT(inside, crosses, left) inside ^= (int)(crosses) & (int)(left);
#else  // selection
#define COUNT(inside, crosses, left) inside = ((int)(crosses) & (int)(left)) ? 1 - inside : inside;
#endif

WT_KERNEL_BLOCK(block_size_x, 1, 1)
point_in_polygon(const WT_GLOBAL float *WT_RESTRICT points,
                 WT_GLOBAL int *WT_RESTRICT result WT_CONSTANT_ARGUMENT(float, polygon)) {
  const int first = wt_group_id(0) * (block_size_x * TILE) + wt_local_id(0);

#if VERTICES_IN == 1  // slopes in local memory, vertices in constant memory
  WT_LOCAL float slopes[VERTICES];
#elif VERTICES_IN == 2  // all of an edge in local memory: x, y, y of the vertex before, slope
  WT_LOCAL float4 edges[VERTICES];
#endif
#if VERTICES_IN > 0
  for (int k = wt_local_id(0); k < VERTICES; k += block_size_x) {
    const int j = k > 0 ? k - 1 : VERTICES - 1;
    const float slope = (polygon[2 * k] - polygon[2 * j]) / (polygon[2 * k + 1] - polygon[2 * j + 1]);
#if VERTICES_IN == 1
    slopes[k] = slope;
#else
    edges[k] = wt_make_float4(polygon[2 * k], polygon[2 * k + 1], polygon[2 * j + 1], slope);
#endif
  }
  wt_barrier();
#endif

  float2 point[TILE];
  int inside[TILE];
  WT_UNROLL_FULL
  for (int i = 0; i < TILE; ++i) {
    const int at = wt_min(first + i * block_size_x, POINTS - 1);
    point[i] = ((const WT_GLOBAL float2 *)points)[at];
    inside[i] = 0;
  }

#if VERTICES_IN == 0
  float x_before = polygon[2 * VERTICES - 2];
#endif
#if VERTICES_IN < 2
  float y_before = polygon[2 * VERTICES - 1];
#endif
  WT_UNROLL(UNROLL)
  for (int k = 0; k < VERTICES; ++k) {
#if VERTICES_IN == 2
    const float4 edge = edges[k];
    const float x = edge.x;
    const float y = edge.y;
    const float y_before = edge.z;
    const float slope = edge.w;
#else
    const float x = polygon[2 * k];
    const float y = polygon[2 * k + 1];
#if VERTICES_IN == 1
    const float slope = slopes[k];
#else
    const float slope = (x - x_before) / (y - y_before);
#endif
#endif
    WT_UNROLL_FULL
    for (int i = 0; i < TILE; ++i) {
      COUNT(inside[i], CROSSES(y, y_before, point[i].y), point[i].x < wt_fma(slope, point[i].y - y, x))
    }
#if VERTICES_IN == 0
    x_before = x;
#endif
#if VERTICES_IN < 2
    y_before = y;
#endif
  }

  WT_UNROLL_FULL
  for (int i = 0; i < TILE; ++i) {
    if (first + i * block_size_x < POINTS) result[first + i * block_size_x] = inside[i];
  }
}

// One thread a point, straight from the definition: what the tuned kernel is held to.
WT_KERNEL point_in_polygon_reference(const WT_GLOBAL float *WT_RESTRICT points,
                                     WT_GLOBAL int *WT_RESTRICT result WT_CONSTANT_ARGUMENT(float, polygon)) {
  const int i = wt_global_id(0);
  if (i >= POINTS) return;
  const float x = points[2 * i];
  const float y = points[2 * i + 1];
  int crossings = 0;
  for (int k = 0; k < VERTICES; ++k) {
    const int j = k > 0 ? k - 1 : VERTICES - 1;
    const float yk = polygon[2 * k + 1];
    const float yj = polygon[2 * j + 1];
    if ((yk > y) == (yj > y)) continue;
    const float slope = (polygon[2 * k] - polygon[2 * j]) / (yk - yj);
    if (x < wt_fma(slope, y - yk, polygon[2 * k])) ++crossings;
  }
  result[i] = crossings % 2;
}
