// SPDX-License-Identifier: Apache-2.0
#include "viewer/smooth_surface.h"

#include <tbb/parallel_for.h>

#include <bit>
#include <cmath>

namespace touche::viewer {
namespace {

std::uint64_t hash_of(const Vec3& p) {
  std::uint64_t h = 0;
  for (int i = 0; i < 3; ++i) {
    h ^= std::bit_cast<std::uint64_t>(p[i] + 0.0);  // −0 and 0 are one
    h *= 0x9e3779b97f4a7c15U;
    h ^= h >> 29;
  }
  return h;
}

// For each vertex, the first at its position: open addressing, at most half full.
std::vector<Index> merged_positions(std::span<const Vec3> vertices) {
  const std::size_t slots = std::bit_ceil(2 * vertices.size() + 1), mask = slots - 1;
  std::vector<Index> table(slots, kNone), merged(vertices.size());
  for (Index v = 0; v < vertices.size(); ++v) {
    std::size_t slot = hash_of(vertices[v]) & mask;
    while (table[slot] != kNone && vertices[table[slot]] != vertices[v]) slot = (slot + 1) & mask;
    if (table[slot] == kNone) table[slot] = v;
    merged[v] = table[slot];
  }
  return merged;
}

}  // namespace

SmoothSurface::SmoothSurface(const PolygonSoup& soup)
    : soup_(soup),
      merged_(merged_positions(soup.vertices())),
      normals_(soup.triangle_count()),
      areas_(soup.triangle_count()) {
  const Index count = soup.triangle_count();
  const double size = soup.bounds().diagonal();
  const double scale = size > 0 ? 1 / size : 1;
  tbb::parallel_for(Index{0}, count, [&](Index t) {
    const auto& [a, b, c] = soup.triangle(t);
    const Vec3 u = scale * (soup.vertex(b) - soup.vertex(a));
    const Vec3 v = scale * (soup.vertex(c) - soup.vertex(a));
    const Vec3 cross = u.cross(v);
    const double area = cross.norm();
    areas_[t] = static_cast<float>(area);
    normals_[t] = area > 0 ? Eigen::Vector3f((cross / area).cast<float>())
                           : Eigen::Vector3f(Eigen::Vector3f::Zero());
  });

  // Count, add up, fill in from behind.
  begins_.assign(soup.vertex_count() + std::size_t{1}, 0);
  for (Index t = 0; t < count; ++t)
    for (int k = 0; k < 3; ++k) ++begins_[vertex(t, k)];
  Index total = 0;
  for (Index& begin : begins_) begin = total += begin;
  triangles_.resize(3 * std::size_t{count});
  for (Index t = count; t-- > 0;)
    for (int k = 0; k < 3; ++k) triangles_[--begins_[vertex(t, k)]] = t;
}

Eigen::Vector3f SmoothSurface::corner_normal(Index triangle, int corner) const {
  const Eigen::Vector3f& own = normals_[triangle];
  // Always in the same order, so that corners with the same neighbours have the same normal.
  Eigen::Vector3f sum = Eigen::Vector3f::Zero();
  for (const Index other : around(vertex(triangle, corner)))
    if (other == triangle || own.dot(normals_[other]) > kCreaseCosine)
      sum += areas_[other] * normals_[other];
  const float length = sum.norm();
  return length > 0 ? Eigen::Vector3f(sum / length) : own;
}

bool SmoothSurface::draws_edge(Index triangle, int corner) const {
  const Index from = vertex(triangle, corner), to = vertex(triangle, (corner + 1) % 3);
  if (from == to) return false;
  Index others = 0;
  bool crease = false;
  for (const Index other : around(from)) {
    if (other == triangle) continue;
    if (vertex(other, 0) != to && vertex(other, 1) != to && vertex(other, 2) != to) continue;
    if (other < triangle) return false;
    ++others;
    crease |= normals_[triangle].dot(normals_[other]) <= kCreaseCosine;
  }
  return others != 1 || crease;
}

}  // namespace touche::viewer
