// SPDX-License-Identifier: Apache-2.0
// A tree of one type of volume: its nodes as they lie in memory and in files, made from a
// partition, refitted, checked and described. Children lie side by side, after their parent.
#pragma once

#include <tbb/parallel_for.h>

#include <algorithm>

#include "base/threads.h"
#include "methods/tree/any_tree.h"
#include "methods/tree/partition.h"
#include "methods/tree/structure.h"
#include "methods/tree/volume_fitter.h"

namespace touche::tree {

/// Satisfied if two volumes have a smallest common one that can be computed without their
/// children's faces.
template <typename V>
concept Mergeable = requires(const V& v) {
  { merged(v, v) } -> std::same_as<V>;
};

template <bounds::BoundingVolume V>
struct TreeNode {
  V volume;
  double quality = 0;         ///< of the volume
  double worst_child = 0;     ///< the children's worst quality; a leaf's own (thesis §4.3.2)
  double expansion_cost = 0;  ///< sum of the children's test costs
  double size = 0;            ///< volume of the volume; of leaves, which are not opened, 0
  Node node;
};

template <bounds::BoundingVolume V>
struct TreeArrays {
  std::span<const TreeNode<V>> nodes;  ///< the root first
  std::span<const Index> order;        ///< of the faces
  std::shared_ptr<const void> owner;   ///< of both: vectors or a mapped file
};

/// Distance of each node from the root.
template <bounds::BoundingVolume V>
std::vector<int> depths(std::span<const TreeNode<V>> nodes) {
  std::vector<int> depth(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::uint32_t k = 0; k < nodes[i].node.degree; ++k)
      depth[nodes[i].node.first_child + k] = depth[i] + 1;
  return depth;
}

template <bounds::BoundingVolume V>
class TypedTree final : public AnyTree {
 public:
  TypedTree(TreeArrays<V> arrays, const Rating& rating, double gap)
      : arrays_(std::move(arrays)), rating_(rating), gap_(gap) {}

  /// Divides the soup's triangles and fits a volume to each part.
  static std::unique_ptr<TypedTree> build(const PolygonSoup& soup, const TreeOptions& options) {
    const Rating rating = Rating::of(options);
    const Faces faces(soup);
    const VolumeFitter<V> fitter(faces, rating);
    Partition parts = divide(faces, fitter, options);
    auto held = std::make_shared<Held>();
    held->nodes.resize(parts.nodes.size());
    for (std::size_t i = 0; i < parts.nodes.size(); ++i) held->nodes[i].node = parts.nodes[i];
    held->order = std::move(parts.order);
    for_each_node(*held, options.threads, [&](TreeNode<V>& node) {
      node.volume = fitter.fit(faces_of(node, held->order));
    });
    return finish(std::move(held), faces, rating, parts.gap, options.threads);
  }

  std::unique_ptr<const AnyTree> refitted(const PolygonSoup& moved, int threads) const override {
    const Faces faces(moved);
    auto held = std::make_shared<Held>();
    held->nodes.assign(nodes().begin(), nodes().end());
    held->order.assign(order().begin(), order().end());
    const auto refit = [&](TreeNode<V>& node) {
      node.volume = refit_faces(node.volume, faces.gather(faces_of(node, held->order)));
    };
    if constexpr (Mergeable<V>) {
      for_each_node(*held, threads, [&](TreeNode<V>& node) {
        if (node.node.degree == 0) refit(node);
      });
      for (std::size_t i = nodes().size(); i-- > 0;) {
        TreeNode<V>& node = held->nodes[i];
        if (node.node.degree == 0) continue;
        const TreeNode<V>* child = &held->nodes[node.node.first_child];
        node.volume = child->volume;
        for (std::uint32_t k = 1; k < node.node.degree; ++k)
          node.volume = merged(node.volume, (++child)->volume);
      }
    } else {
      for_each_node(*held, threads, refit);
    }
    return finish(std::move(held), faces, rating_, gap_, threads);
  }

  void validate(const PolygonSoup& soup) const override {
    check_structure(nodes(), order(), soup.triangle_count(),
                    [](const std::string& what) { throw Error("the tree " + what); });
    const Faces faces(soup);
    for (std::size_t i = 0; i < nodes().size(); ++i)
      for (const Index face : faces_of(nodes()[i], order()))
        for (const Vec3& p : faces.corners(face))
          if (!nodes()[i].volume.contains(p))
            throw Error("node " + std::to_string(i) + " does not contain its face " +
                        std::to_string(face));
  }

  TreeShape shape() const override {
    TreeShape shape;
    shape.nodes = nodes().size();
    shape.bytes = nodes().size_bytes() + order().size_bytes();
    if constexpr (std::same_as<V, bounds::AnyVolume>)
      for (const TreeNode<V>& node : nodes())
        shape.bytes += node.volume.numbers().size() * sizeof(double);
    shape.gap = gap_;
    const std::vector<int> depth = depths(nodes());
    shape.depth = *std::ranges::max_element(depth);
    for (std::size_t i = 0; i < nodes().size(); ++i) {
      const Node& node = nodes()[i].node;
      ++shape.degrees[node.degree];
      if (node.degree > 0) continue;
      ++shape.leaves;
      shape.largest_leaf = std::max(shape.largest_leaf, node.end - node.begin);
    }
    shape.quality = level_qualities(depth, shape.depth);
    return shape;
  }

  LevelOutline outline(int level, std::size_t most) const override {
    LevelOutline result;
    const std::vector<int> depth = depths(nodes());
    for (std::size_t i = 0; i < nodes().size(); ++i)
      if (depth[i] == level || (depth[i] < level && nodes()[i].node.degree == 0))
        if (result.count++ < most) bounds::outline(nodes()[i].volume, result.lines);
    return result;
  }

  TreeResult intersects(const PolygonSoup& soup, const AnyTree& b, const PolygonSoup& soup_b,
                        const query::RelativePose& pose,
                        const TraversalOptions& options) const override;
  void save(const PolygonSoup& soup, const std::filesystem::path& file) const override;

  std::span<const TreeNode<V>> nodes() const { return arrays_.nodes; }
  std::span<const Index> order() const { return arrays_.order; }
  const Rating& rating() const { return rating_; }
  double gap() const { return gap_; }

 private:
  struct Held {
    std::vector<TreeNode<V>> nodes;
    std::vector<Index> order;
  };

  static std::span<const Index> faces_of(const TreeNode<V>& node, std::span<const Index> order) {
    return order.subspan(node.node.begin, node.node.end - node.node.begin);
  }

  template <typename F>
  static void for_each_node(Held& held, int threads, F&& f) {
    const auto work = [&] {
      tbb::parallel_for(std::size_t{0}, held.nodes.size(),
                        [&](std::size_t i) { f(held.nodes[i]); });
    };
    base::with_threads(threads, work);
  }

  /// A level consists of the nodes of its depth and the leaves above (§3.4).
  std::vector<double> level_qualities(std::span<const int> depth, int deepest) const {
    std::vector<double> sum(static_cast<std::size_t>(deepest) + 1), count(sum), most(sum);
    for (std::size_t i = 0; i < nodes().size(); ++i) {
      const double quality = nodes()[i].quality;
      auto level = static_cast<std::size_t>(depth[i]);
      do {
        sum[level] += quality;
        count[level] += 1;
        most[level] = std::max(most[level], quality);
      } while (nodes()[i].node.degree == 0 && ++level < sum.size());
    }
    if (rating_.combine == Combine::maximum) return most;
    for (std::size_t level = 0; level < sum.size(); ++level) sum[level] /= count[level];
    return sum;
  }

  /// All that follows from the volumes.
  static std::unique_ptr<TypedTree> finish(std::shared_ptr<Held> held, const Faces& faces,
                                           const Rating& rating, double gap, int threads) {
    for_each_node(*held, threads, [&](TreeNode<V>& node) {
      node.quality = quality_of(node.volume, rating, faces, faces_of(node, held->order));
      if (node.node.degree > 0) node.size = node.volume.volume();
    });
    for (TreeNode<V>& node : held->nodes) {
      node.worst_child = node.node.degree == 0 ? node.quality : 0;
      node.expansion_cost = 0;
      for (std::uint32_t k = 0; k < node.node.degree; ++k) {
        const TreeNode<V>& child = held->nodes[node.node.first_child + k];
        node.worst_child = std::max(node.worst_child, child.quality);
        node.expansion_cost += rating.test_cost(child.volume);
      }
    }
    const Held& arrays = *held;
    return std::make_unique<TypedTree>(TreeArrays<V>{arrays.nodes, arrays.order, std::move(held)},
                                       rating, gap);
  }

  TreeArrays<V> arrays_;
  Rating rating_;
  double gap_;
};

}  // namespace touche::tree
