// SPDX-License-Identifier: Apache-2.0
#include "io/vertex_merger.h"

#include <bit>

namespace touche::io {
namespace {

// Mixes all bits of the three numbers into the lower ones (multiply and fold, as in wyhash).
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  a = (a ^ b) * 0x9E3779B97F4A7C15ull;
  return a ^ (a >> 32);
}

std::uint64_t hash(double x, double y, double z) {
  const std::uint64_t h = mix(std::bit_cast<std::uint64_t>(x), 0x2545F4914F6CDD1Dull);
  return mix(mix(h, std::bit_cast<std::uint64_t>(y)), std::bit_cast<std::uint64_t>(z));
}

}  // namespace

void VertexMerger::restart() {
  first_ = mesh_.data().vertex_count();
  table_.assign(64, kNone);
}

// The slot that holds this position, or the free one where it belongs.
std::size_t VertexMerger::slot(double x, double y, double z) const {
  const std::vector<double>& xyz = mesh_.data().coordinates;
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = hash(x, y, z) & mask;; at = (at + 1) & mask) {
    if (table_[at] == kNone) return at;
    const double* p = &xyz[3 * std::size_t{table_[at]}];
    if (p[0] == x && p[1] == y && p[2] == z) return at;
  }
}

Index VertexMerger::vertex(double x, double y, double z) {
  x += 0.0;  // −0 becomes +0, so that equal positions have equal bits to hash
  y += 0.0;
  z += 0.0;
  const std::size_t at = slot(x, y, z);
  if (table_[at] != kNone) return table_[at];
  const auto number = static_cast<Index>(mesh_.data().vertex_count());
  table_[at] = number;
  mesh_.add_vertex(x, y, z);
  if (2 * (number + 1 - first_) > table_.size()) grow();
  return number;
}

void VertexMerger::grow() {
  table_ = std::vector<Index>(2 * table_.size(), kNone);
  const std::vector<double>& xyz = mesh_.data().coordinates;
  for (std::size_t v = first_; v < xyz.size() / 3; ++v) {
    table_[slot(xyz[3 * v], xyz[3 * v + 1], xyz[3 * v + 2])] = static_cast<Index>(v);
  }
}

}  // namespace touche::io
