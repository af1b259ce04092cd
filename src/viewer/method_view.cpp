// SPDX-License-Identifier: Apache-2.0
#include "viewer/method_view.h"

#include <chrono>

#include "base/budget_part.h"
#include "bvh/object_data.h"
#include "methods/bounds/obb.h"
#include "methods/bounds/outline.h"
#include "methods/tree/rating.h"
#include "touche/query.h"

namespace touche::viewer {
namespace {

// A node's box in the frame of the object: y = axes · ((x − centre) · scale − origin).
bounds::Obb box_of(const bvh::Bvh& bvh, bvh::NodeRef ref) {
  const bvh::Bounds& own = bvh.bounds(ref);
  Mat3 axes;  // these are its columns
  Vec3 in_frame, half, origin;
  for (int k = 0; k < 3; ++k) {
    for (int c = 0; c < 3; ++c) axes(c, k) = own.frame.axis(k, c);
    in_frame[k] = own.box.centre[k];
    half[k] = own.box.half[k];
    origin[k] = own.frame.origin[k];
  }
  bounds::Obb box;
  box.axes = axes;
  box.centre = bvh.centre() + (origin + axes * in_frame) / bvh.scale();
  box.half = half / bvh.scale();
  return box;
}

bounds::Obb placed(bounds::Obb box, const Pose& pose) {
  box.centre = pose * box.centre;
  box.axes = pose.matrix() * box.axes;
  return box;
}

// Tests the fifteen separating axes of two boxes.
bool are_apart(const bounds::Obb& a, const bounds::Obb& b) {
  const Vec3 between = b.centre - a.centre;
  const auto reach = [](const bounds::Obb& box, const Vec3& axis) {
    return (box.axes.transpose() * axis).cwiseAbs().dot(box.half);
  };
  const auto parts = [&](const Vec3& axis) {
    return std::abs(between.dot(axis)) > reach(a, axis) + reach(b, axis);
  };
  for (int i = 0; i < 3; ++i) {
    if (parts(a.axes.col(i)) || parts(b.axes.col(i))) return true;
    for (int j = 0; j < 3; ++j)
      if (parts(a.axes.col(i).cross(b.axes.col(j)))) return true;
  }
  return false;
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

// The volumes that trees are compiled for come first.
template <typename... V>
std::vector<protocol::TreeVolume> volumes_with(std::type_identity<std::tuple<V...>>) {
  std::vector<protocol::TreeVolume> all = {{std::string(V::kName), tree::HasHausdorff<V>}...};
  for (const std::string_view name : volume_names().subspan(all.size()))
    all.push_back({std::string(name), tree::HasHausdorff<bounds::AnyVolume>});
  return all;
}

}  // namespace

LevelView own_level(const Object& object, int level, std::size_t most) {
  const bvh::Bvh& bvh = bvh::bvh_of(object);
  LevelView view;
  std::vector<std::pair<bvh::NodeRef, int>> stack = {{bvh.root(), 0}};
  while (!stack.empty()) {
    const auto [ref, depth] = stack.back();
    stack.pop_back();
    view.levels = std::max(view.levels, depth + 1);
    if (depth == level || (depth < level && bvh::is_leaf(ref)))
      if (view.count++ < most) bounds::outline(box_of(bvh, ref), view.lines);
    if (bvh::is_leaf(ref)) continue;
    bvh::Boxes8 room;
    const bvh::NodeView node = bvh.node(ref, room);
    for (int i = node.count(); i-- > 0;) stack.emplace_back(node.child[i], depth + 1);
  }
  return view;
}

void add_open_pairs(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                    int levels, std::size_t most, std::vector<float>& lines, std::size_t& count) {
  const bvh::Bvh &bvh_a = bvh::bvh_of(a), &bvh_b = bvh::bvh_of(b);
  struct Open {
    bvh::NodeRef a, b;
    int level;
  };
  std::vector<Open> stack = {{bvh_a.root(), bvh_b.root(), 0}};
  while (!stack.empty()) {
    const Open pair = stack.back();
    stack.pop_back();
    const bounds::Obb box_a = placed(box_of(bvh_a, pair.a), pose_a);
    const bounds::Obb box_b = placed(box_of(bvh_b, pair.b), pose_b);
    if (are_apart(box_a, box_b)) continue;
    if (pair.level == levels || (bvh::is_leaf(pair.a) && bvh::is_leaf(pair.b))) {
      if (count++ < most) {
        bounds::outline(box_a, lines);
        bounds::outline(box_b, lines);
      }
      continue;
    }
    // Both are opened, as queries do; a leaf stays as it is.
    const auto children = [](const bvh::Bvh& bvh, const bvh::NodeRef& ref) {
      if (bvh::is_leaf(ref)) return std::span(&ref, 1);
      bvh::Boxes8 room;
      const bvh::NodeView node = bvh.node(ref, room);
      return std::span(node.child, static_cast<std::size_t>(node.count()));
    };
    for (const bvh::NodeRef& child_a : children(bvh_a, pair.a))
      for (const bvh::NodeRef& child_b : children(bvh_b, pair.b))
        stack.push_back({child_a, child_b, pair.level + 1});
  }
}

BuiltTree build_tree(const Object& object, const Pose& pose,
                     const std::vector<Neighbour>& neighbours, const TreeOptions& options,
                     const Budget& budget) {
  const auto start = std::chrono::steady_clock::now();
  TreeOptions building = options;
  building.progress = budget.progress;
  BuiltTree built{VolumeTree(object.soup(), building), {}};
  protocol::Tree& told = built.told;
  told.milliseconds = milliseconds_since(start);
  told.volume = options.volume;
  told.method = name(options.method);
  told.degree = static_cast<std::uint32_t>(options.degree);
  told.improvement = options.improvement;
  told.quality = name(options.quality);
  told.combine = name(options.combine);
  const TreeShape shape = built.tree.shape();
  told.levels = static_cast<std::uint32_t>(shape.depth + 1);
  told.nodes = static_cast<std::uint32_t>(shape.nodes);
  told.bytes_per_triangle =
      static_cast<double>(shape.bytes) / static_cast<double>(object.soup().triangle_count());
  building.progress = {};
  for (const Neighbour& other : neighbours) {
    if (budget.expired()) break;
    const VolumeTree tree(other.object.soup(), building);
    TraversalOptions how;
    how.all_pairs = true;
    how.budget = base::with_work(budget, 1'000'000);
    const TreeResult result = intersects(built.tree, pose, tree, other.pose, how);
    told.tests += static_cast<double>(result.stats.volume_tests);
    told.triangle_tests += static_cast<double>(result.stats.primitive_tests);
    const FacePairsResult own =
        intersecting_faces(object, pose, other.object, other.pose, how.budget);
    told.own_tests += static_cast<double>(own.stats.volume_tests);
    told.own_triangle_tests += static_cast<double>(own.stats.primitive_tests);
  }
  return built;
}

const protocol::TreeChoices& tree_choices() {
  static const protocol::TreeChoices choices = [] {
    protocol::TreeChoices all;
    all.volumes = volumes_with(std::type_identity<bounds::AllVolumes>());
    for (const std::string_view method : kNames<SplitMethod>)
      if (method != name(SplitMethod::branch_and_bound))
        all.methods.push_back({std::string(method)});
    for (const std::string_view quality : kNames<Quality>)
      all.qualities.push_back({std::string(quality)});
    for (const std::string_view combine : kNames<Combine>)
      all.combines.push_back({std::string(combine)});
    return all;
  }();
  return choices;
}

bool is_closed(const Object& object) {
  const PolygonSoup& soup = object.soup();
  for (Index corner = 0; corner < soup.corner_count(); ++corner)
    if (soup.opposite(corner) == kNone) return false;
  return true;
}

}  // namespace touche::viewer
