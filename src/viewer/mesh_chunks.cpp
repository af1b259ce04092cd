// SPDX-License-Identifier: Apache-2.0
#include "viewer/mesh_chunks.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "bvh/object_data.h"
#include "viewer/smooth_surface.h"

namespace touche::viewer {
namespace {

// Three vertices each, so indices of 16 bits always suffice.
constexpr std::size_t kMostTriangles = 16384;
constexpr std::size_t kFewTriangles = 256;
constexpr double kMostBytes = 15.75;  // a triangle, without what a message begins with

// Triangles in the order of the hierarchy's leaves, depth first.
std::vector<Index> spatial_order(const Object& object) {
  const bvh::Bvh& bvh = bvh::bvh_of(object);
  std::vector<Index> order;
  order.reserve(object.soup().triangle_count());
  std::vector<bvh::NodeRef> stack = {bvh.root()};
  while (!stack.empty()) {
    const bvh::NodeRef ref = stack.back();
    stack.pop_back();
    if (bvh::is_leaf(ref)) {
      const bvh::BvhLeaf& leaf = bvh.leaf(ref);
      order.insert(order.end(), leaf.triangle, leaf.triangle + leaf.count());
      continue;
    }
    bvh::Boxes8 room;
    const bvh::NodeView node = bvh.node(ref, room);
    for (int i = node.count(); i-- > 0;) stack.push_back(node.child[i]);
  }
  return order;
}

// Octahedral coordinates: docs/protocol.md says how they are read.
std::array<std::int8_t, 2> octahedral(const Eigen::Vector3f& normal) {
  const float sum = normal.cwiseAbs().sum();
  if (!(sum > 0)) return {0, 127};
  float x = normal.x() / sum, y = normal.y() / sum;
  if (normal.z() < 0) {
    const float folded = (1 - std::abs(y)) * std::copysign(1.0F, x);
    y = (1 - std::abs(x)) * std::copysign(1.0F, y);
    x = folded;
  }
  const auto rounded = [](float v) { return static_cast<std::int8_t>(std::lround(127 * v)); };
  return {rounded(x), rounded(y)};
}

// Numbers keys in the order in which they come.
class Numbering {
 public:
  explicit Numbering(std::size_t keys)
      : slots_(std::bit_ceil(2 * keys + 1), {kEmpty, 0}), mask_(slots_.size() - 1) {}

  std::uint16_t number(std::uint64_t key) {
    std::size_t slot = (key * 0x9e3779b97f4a7c15U >> 20) & mask_;
    while (slots_[slot].first != kEmpty && slots_[slot].first != key) slot = (slot + 1) & mask_;
    if (slots_[slot].first == kEmpty) {
      slots_[slot] = {key, static_cast<std::uint16_t>(keys_.size())};
      keys_.push_back(key);
    }
    return slots_[slot].second;
  }
  [[nodiscard]] const std::vector<std::uint64_t>& keys() const { return keys_; }

 private:
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  std::vector<std::pair<std::uint64_t, std::uint16_t>> slots_;
  std::size_t mask_;
  std::vector<std::uint64_t> keys_;
};

// The lattice on which all vertices of a mesh lie.
struct Lattice {
  double step = 1;

  [[nodiscard]] Vec3 origin(const Aabb& box) const {
    return step * (box.lo / step).array().floor().matrix();
  }
  [[nodiscard]] std::uint16_t coordinate(double x, double origin) const {
    return static_cast<std::uint16_t>(std::clamp(std::round((x - origin) / step), 0.0, 65535.0));
  }
};

class PieceMaker {
 public:
  PieceMaker(const PolygonSoup& soup, const SmoothSurface& surface,
             std::span<const Index> triangles)
      : soup_(soup), surface_(surface), triangles_(triangles) {}

  protocol::MeshChunk make(const Aabb& box, const Lattice& lattice) {
    number_corners(true);
    if (triangles_.size() >= kFewTriangles &&
        static_cast<double>(bytes()) > kMostBytes * static_cast<double>(triangles_.size()))
      number_corners(false);
    chunk_.lo = lattice.origin(box);
    chunk_.hi = chunk_.lo + Vec3::Constant(65535 * lattice.step);
    for (const std::uint64_t key : keys_) {
      const Vec3& p = soup_.vertex(static_cast<Index>(key >> 16));
      for (int i = 0; i < 3; ++i)
        chunk_.positions.push_back(lattice.coordinate(p[i], chunk_.lo[i]));
    }
    return std::move(chunk_);
  }

 private:
  // A vertex is a position and, unless triangles have normals of their own, a normal.
  void number_corners(bool normals) {
    Numbering numbering(3 * triangles_.size());
    chunk_.indices.clear();
    chunk_.normals.clear();
    chunk_.edges.clear();
    for (const Index t : triangles_) {
      std::array<std::uint16_t, 3> corners{};
      for (int k = 0; k < 3; ++k) {
        std::uint64_t key = std::uint64_t{surface_.vertex(t, k)} << 16;
        if (normals) {
          const auto [x, y] = octahedral(surface_.corner_normal(t, k));
          key |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(x)) << 8 |
                 static_cast<std::uint8_t>(y);
        }
        corners[static_cast<std::size_t>(k)] = numbering.number(key);
      }
      chunk_.indices.insert(chunk_.indices.end(), corners.begin(), corners.end());
      for (int k = 0; k < 3; ++k)
        if (surface_.draws_edge(t, k)) {
          chunk_.edges.push_back(corners[static_cast<std::size_t>(k)]);
          chunk_.edges.push_back(corners[static_cast<std::size_t>((k + 1) % 3)]);
        }
    }
    keys_ = numbering.keys();
    if (!normals) return;
    for (const std::uint64_t key : keys_) {
      chunk_.normals.push_back(static_cast<std::int8_t>(key >> 8 & 0xff));
      chunk_.normals.push_back(static_cast<std::int8_t>(key & 0xff));
    }
  }

  [[nodiscard]] std::size_t bytes() const {
    return 6 * keys_.size() + chunk_.normals.size() +
           2 * (chunk_.indices.size() + chunk_.edges.size());
  }

  const PolygonSoup& soup_;
  const SmoothSurface& surface_;
  std::span<const Index> triangles_;
  std::vector<std::uint64_t> keys_;
  protocol::MeshChunk chunk_;
};

}  // namespace

std::uint32_t piece_count(const Object& object) {
  return static_cast<std::uint32_t>((object.soup().triangle_count() + kMostTriangles - 1) /
                                    kMostTriangles);
}

std::vector<MeshPiece> mesh_pieces(const Object& object, std::uint32_t mesh) {
  const PolygonSoup& soup = object.soup();
  const SmoothSurface surface(soup);
  const std::vector<Index> order = spatial_order(object);
  const std::size_t count = piece_count(object);
  const auto triangles_of = [&](std::size_t piece) {
    const std::size_t from = piece * kMostTriangles;
    return std::span(order).subspan(from, std::min(kMostTriangles, order.size() - from));
  };

  std::vector<MeshPiece> pieces(count);
  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t piece) {
    for (const Index t : triangles_of(piece))
      for (const Index v : soup.triangle(t)) pieces[piece].box.include(soup.vertex(v));
  });
  Lattice lattice{0};
  for (const MeshPiece& piece : pieces)
    lattice.step = std::max(lattice.step, (piece.box.hi - piece.box.lo).maxCoeff() / 65534);
  if (!(lattice.step > 0)) lattice.step = 1;

  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t piece) {
    protocol::MeshChunk chunk =
        PieceMaker(soup, surface, triangles_of(piece)).make(pieces[piece].box, lattice);
    chunk.mesh = mesh;
    chunk.chunk = static_cast<std::uint32_t>(piece);
    pieces[piece].message = std::make_shared<const std::vector<std::byte>>(encode(chunk));
  });
  return pieces;
}

}  // namespace touche::viewer
