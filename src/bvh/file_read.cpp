// SPDX-License-Identifier: Apache-2.0
// Nothing of a file is used before it is checked: first that it is complete and belongs to this
// mesh and machine, then that searches over it are safe, because a checksum can be forged.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <vector>

#include "base/xxhash64.h"
#include "bvh/file_format.h"
#include "bvh/object_data.h"
#include "touche/hierarchy_file.h"

namespace touche::bvh {

namespace file {
namespace {

class Reader {
 public:
  Reader(std::span<const std::byte> bytes, const PolygonSoup& soup, const std::string& file)
      : bytes_(bytes), soup_(soup), file_(file) {}

  Bvh read(std::shared_ptr<const void> owner) {
    read_header();
    base::checked_file::check_sum(bytes_, file_);
    check_mesh();
    check_cost();
    arrays_.node_count = header_.nodes;
    arrays_.leaf_count = header_.leaves;
    arrays_.lie_in(std::move(owner), bytes_.data() + sizeof(Header));
    arrays_.root = header_.root;
    arrays_.height = header_.height;
    arrays_.cost = header_.cost;
    arrays_.built_cost = header_.built_cost;
    Bvh bvh(std::move(arrays_));
    check_tree(bvh);
    return bvh;
  }

 private:
  [[noreturn]] void fail(const std::string& reason, const std::string& place = {}) const {
    throw LoadError(file_, place, reason);
  }

  void read_header() {
    base::checked_file::check_prefix(bytes_, sizeof(Header), prefix(), "hierarchy", file_);
    std::memcpy(&header_, bytes_.data(), sizeof header_);
    base::checked_file::check_size(
        bytes_, sizeof(Header) + BvhBlock(header_.nodes, header_.leaves).size, file_);
    if (header_.leaves == 2 && header_.nodes != 1) fail("two leaves have one root");
  }

  void check_mesh() {
    if (soup_.triangle_count() == 0 || header_.triangles != soup_.triangle_count() ||
        header_.mesh != mesh_hash(soup_))
      fail("made for another mesh");
    arrays_.normalization = Normalization(soup_.bounds());
    const Vec3& centre = arrays_.normalization.centre;
    if (header_.centre[0] != centre[0] || header_.centre[1] != centre[1] ||
        header_.centre[2] != centre[2] || header_.scale != arrays_.normalization.scale)
      fail("centre or scale do not fit the mesh");
  }

  void check_cost() const {
    for (const float cost : {header_.cost, header_.built_cost})
      if (!(cost > 0 && std::isfinite(cost))) fail("a cost that is not possible");
  }

  // Checks that each node, leaf and triangle occurs once, so that traversals terminate.
  void check_tree(const Bvh& bvh) {
    if (bvh.height() < 0 || bvh.height() > kMostHeight)
      fail("a height of " + std::to_string(bvh.height()) + " is not possible");
    node_seen_.resize(bvh.node_count());
    leaf_seen_.resize(bvh.leaf_count());
    triangle_seen_.resize(soup_.triangle_count());
    // Traverse from the root and check each node and leaf.
    struct Visit {
      NodeRef ref;
      int depth;
    };
    std::vector<Visit> stack{{bvh.root(), 0}};
    std::size_t nodes = 0, leaves = 0, triangles = 0;
    while (!stack.empty()) {
      const auto [ref, depth] = stack.back();
      stack.pop_back();
      if (depth > bvh.height()) fail("the hierarchy is higher than it says");
      if (is_leaf(ref)) {
        ++leaves;
        triangles += check_leaf(bvh, static_cast<std::size_t>(~ref));
      } else {
        ++nodes;
        Boxes8 room;
        const NodeView node = check_node(bvh, static_cast<std::size_t>(ref), room);
        for (int lane = node.count(); lane-- > 0;) stack.push_back({node.child[lane], depth + 1});
      }
    }
    // Compare the numbers of nodes, leaves and triangles that were visited.
    if (nodes != bvh.node_count() || leaves != bvh.leaf_count())
      fail("holds nodes or leaves that do not belong to the hierarchy");
    if (triangles != triangle_seen_.size())
      fail("only " + std::to_string(triangles) + " of " + std::to_string(triangle_seen_.size()) +
           " triangles are in the hierarchy");
  }

  NodeView check_node(const Bvh& bvh, std::size_t index, Boxes8& room) {
    const auto bad = [&](const char* why) { fail(why, "node " + std::to_string(index)); };
    if (index >= bvh.node_count()) bad("does not exist");
    if (node_seen_[index]) bad("is held twice");
    node_seen_[index] = true;
    const NodeView node = bvh.node(static_cast<NodeRef>(index), room);
    if (!possible_count(node.bounds) || (bvh.has_two_leaves() && node.count() != 2))
      bad("has a wrong count");
    if (!sound(node.bounds)) bad("has impossible bounds");
    for (int lane = 0; lane < kWidth; ++lane) {
      const bool used = lane < node.count();
      for (int k = 0; k < 3; ++k) {
        const float centre = node.children.centre[k][lane], half = node.children.half[k][lane];
        if (!(used ? possible(centre) && possible_half(half) : centre == 0 && half == kUnusedHalf))
          bad("has impossible boxes");
      }
      if (!used && node.child[lane] != node.child[0]) bad("has more children than it says");
    }
    return node;
  }

  // Returns the number of triangles in the leaf.
  std::size_t check_leaf(const Bvh& bvh, std::size_t index) {
    const auto bad = [&](const char* why) { fail(why, "leaf " + std::to_string(index)); };
    if (index >= bvh.leaf_count()) bad("does not exist");
    if (leaf_seen_[index]) bad("is held twice");
    leaf_seen_[index] = true;
    const BvhLeaf& leaf = bvh.leaves()[index];
    if (!possible_count(leaf.bounds)) bad("has a wrong count");
    if (!sound(leaf.bounds) ||
        !all_possible(leaf.corner[0][0], std::size(leaf.corner) * 3 * kWidth))
      bad("has impossible bounds or corners");
    for (int lane = 0; lane < kWidth; ++lane) {
      const Index triangle = leaf.triangle[lane];
      if (lane >= leaf.count()) {
        if (triangle != leaf.triangle[0]) bad("has more triangles than it says");
        continue;
      }
      if (triangle >= triangle_seen_.size()) bad("names a triangle that does not exist");
      if (triangle_seen_[triangle]) bad("names a triangle that another leaf has");
      triangle_seen_[triangle] = true;
    }
    return static_cast<std::size_t>(leaf.count());
  }

  // Local coordinates lie in the unit ball, axes are unit vectors. Numbers of this size do not
  // overflow in any search. False for NaN.
  static bool possible(float x) { return std::abs(x) <= 4; }
  static bool possible_half(float x) { return x >= 0 && x <= 4; }
  static bool all_possible(const float* x, std::size_t count) {
    bool all = true;
    for (std::size_t i = 0; i < count; ++i) all &= possible(x[i]);
    return all;
  }
  static bool possible_count(const Bounds& bounds) {
    const float count = bounds.box.centre[3];
    return count >= 1 && count <= kWidth && count == std::trunc(count);
  }
  static bool sound(const Bounds& bounds) {
    bool all = possible_half(bounds.extent());
    for (const auto& column : bounds.frame.columns) all &= all_possible(column, 4);
    for (int k = 0; k < 3; ++k) all &= possible_half(bounds.box.half[k]);
    return all && all_possible(bounds.frame.origin, 4) && all_possible(bounds.box.centre, 3);
  }

  std::span<const std::byte> bytes_;
  const PolygonSoup& soup_;
  const std::string& file_;
  Header header_;
  BvhArrays arrays_;
  std::vector<bool> node_seen_, leaf_seen_, triangle_seen_;
};

}  // namespace

std::uint64_t layout() {
  const std::uint64_t sizes_and_offsets[] = {sizeof(Bounds),
                                             sizeof(BvhNode),
                                             kWidth,
                                             offsetof(BvhNode, children),
                                             offsetof(BvhNode, child),
                                             sizeof(BvhLeaf),
                                             sizeof(RootOfTwo),
                                             offsetof(RootOfTwo, centre),
                                             offsetof(RootOfTwo, half),
                                             offsetof(BvhLeaf, corner),
                                             sizeof(float),
                                             offsetof(BvhLeaf, triangle),
                                             offsetof(Bounds, box),
                                             sizeof(Index),
                                             sizeof(NodeRef)};
  return base::xxhash64(std::as_bytes(std::span(sizes_and_offsets)));
}

base::checked_file::Prefix prefix() {
  return {.magic = kMagic, .version = kVersion, .layout = layout()};
}

Bvh read(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
         const PolygonSoup& soup, const std::string& file) {
  return Reader(bytes, soup, file).read(std::move(owner));
}

Bvh load(const std::filesystem::path& file, const PolygonSoup& soup) {
  base::checked_file::Mapping mapping = base::checked_file::map(file);
  return read(mapping.bytes, std::move(mapping.owner), soup, file.string());
}

}  // namespace file

}  // namespace touche::bvh

namespace touche {

std::uint64_t mesh_hash(const PolygonSoup& soup) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  return base::xxhash64(std::as_bytes(soup.triangles()),
                        base::xxhash64(std::as_bytes(soup.vertices())));
}

Object load_hierarchy(PolygonSoup soup, const std::filesystem::path& file, std::string name) {
  bvh::Bvh bvh = bvh::file::load(file, soup);
  return bvh::object_of(std::move(soup), std::move(bvh), std::move(name));
}

Object object_from_bytes(PolygonSoup soup, std::span<const std::byte> bytes, std::string name) {
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  const auto lines = std::make_shared<std::vector<Line>>((bytes.size() + 63) / 64);
  auto* const copy = reinterpret_cast<std::byte*>(lines->data());
  std::copy(bytes.begin(), bytes.end(), copy);
  bvh::Bvh bvh = bvh::file::read({copy, bytes.size()}, lines, soup, "hierarchy bytes");
  return bvh::object_of(std::move(soup), std::move(bvh), std::move(name));
}

}  // namespace touche
