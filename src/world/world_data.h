// SPDX-License-Identifier: Apache-2.0
// The data of a world: the scene graph, the bodies on its nodes, and their boxes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "touche/broadphase.h"
#include "world/body_boxes.h"
#include "world/pair_sort.h"
#include "world/scene_graph.h"

namespace touche::world {

/// The same box with numbers of double precision.
inline Aabb to_aabb(const RoundedBox& box) {
  return {{box.lo[0], box.lo[1], box.lo[2]}, {box.hi[0], box.hi[1], box.hi[2]}};
}

}  // namespace touche::world

namespace touche {

struct World::Data {
  struct Body {
    std::optional<Shape> shape;  // none: the node is a group
    BodyOptions options;
    Pose pose;                  // in the world, at the last refresh
    Index box = kNone;          // number in the broad phase; kNone: not in it yet
    bool loose = false;         // its box there may not fit, see `loose` below
    bool on_way = false;        // during a step: its box contains its whole motion
    std::uint64_t changed = 0;  // the revision in which it last moved or was changed
    std::uint64_t became = 0;   // the revision in which it got its shape

    bool is_body() const { return shape.has_value(); }
  };

  world::SceneGraph graph;
  std::vector<Body> bodies;  // of each node
  Index body_count = 0;
  Index convex_count = 0;  // number of bodies that are convex shapes
  PairFilter filter;

  std::unique_ptr<BroadPhase> boxes = make_broad_phase();
  std::vector<Index> node_of_box;  // for each box number

  Index checked_body(NodeId body) const;
  const Shape& shape(Index body) const { return *bodies[body].shape; }
  /// Throws InvalidInput if the body is a convex shape.
  const Object& object(Index body) const {
    if (shape(body).is_convex()) no_object(body);
    return shape(body).object();
  }
  [[noreturn]] void no_object(Index body) const;
  /// Throws InvalidInput for a shape that cannot be a body with these options at that node; kNone:
  /// at a new node.
  void check_shape(const Shape& shape, const BodyOptions& options, Index node) const;
  /// Makes a node a body with this shape.
  void set_shape(Index node, Shape shape);
  /// Removes the shape of a node, before it gets another or is removed.
  void drop_shape(Index node);

  bool in_step = false;  // set during a step
  /// Counts changes of bodies.
  std::uint64_t revision = 0;
  /// Bodies whose boxes in the broad phase may be too large or out of date.
  std::vector<Index> loose;

  /// Updates the poses of all bodies; bodies that moved become loose.
  void refresh_poses();
  /// Updates the poses and boxes of all bodies.
  void refresh();
  /// Updates the boxes of loose bodies, except if `stays_loose(node)`.
  template <class Stays>
  void tighten(const Stays& stays_loose) {
    box_numbers.clear();
    new_boxes.clear();
    for (const Index node : loose)
      if (bodies[node].loose && !stays_loose(node))
        set_box(node, world::world_box(shape(node), bodies[node].pose));
    flush_boxes();
    std::erase_if(loose, [&](Index node) {
      if (bodies[node].loose && stays_loose(node)) return false;
      bodies[node].loose = false;
      return true;
    });
  }
  /// Call when a body was moved or changed.
  void body_changed(Index node);
  void set_loose(Index node);
  /// Gives a body a box in the broad phase; a box that exists moves only with `flush_boxes`.
  void set_box(Index node, const Aabb& box);
  void flush_boxes();
  void drop_box(Index node);

  // Boxes that `set_box` leaves to `flush_boxes`.
  std::vector<Index> box_numbers;
  std::vector<RoundedBox> new_boxes;

  /// The ball around a body that is no half space, in its own frame; computed when first needed.
  const Ball& ball_of(Index node);

  /// True if the options and the filter allow that two bodies are a pair.
  bool may_pair(Index a, Index b) const;
  static bool may_pair(const BodyOptions& x, const BodyOptions& y);
  /// Pairs whose boxes overlap, or are at most `clearance` apart, in ascending order. With a
  /// clearance > 0, pairs whose balls are farther apart than twice the clearance are left out.
  std::vector<std::pair<Index, Index>> candidates(double clearance);
  /// Returns the pairs of the broad phase, which from then on finds boxes that moved by their
  /// neighbours.
  std::span<const BoxPair> list_pairs();
  /// As `refresh`. A search scans all boxes that moved since pairs were listed; when scans have
  /// become too many, pairs are listed.
  void refresh_for_search();
  std::size_t unlisted = 0;  // upper bound of the boxes that moved since
  std::size_t scanned = 0;   // boxes scanned in searches since

  /// Bodies whose boxes overlap a box, in ascending order.
  std::vector<Index> in_box(const Aabb& box) const;

 private:
  struct KnownBall {
    std::uint64_t became = 0;  // the revision in which the body got its shape
    Ball ball;
  };
  std::vector<KnownBall> balls_;    // of each node, once needed
  std::vector<Ball> placed_balls_;  // of each node, in the world; grown by rounding
  world::PairSort pair_sort_;

  void place_balls();
};

}  // namespace touche
