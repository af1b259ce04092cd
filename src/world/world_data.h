// SPDX-License-Identifier: Apache-2.0
// Holds the data of a world: the scene graph, the bodies on its nodes, and their boxes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "touche/broadphase.h"
#include "world/form.h"
#include "world/pair_sort.h"
#include "world/scene_graph.h"

namespace touche {

/// The same box with numbers of double precision.
inline Aabb to_aabb(const RoundedBox& box) {
  return {{box.lo[0], box.lo[1], box.lo[2]}, {box.hi[0], box.hi[1], box.hi[2]}};
}

struct World::Data {
  struct Body {
    std::optional<Object> object;  // none: the node is a group, or has a shape
    std::optional<Shape> shape;    // a convex one
    BodyOptions options;
    Pose pose;                  // in the world, at the last refresh
    Index box = kNone;          // number in the broad phase; kNone: not in it yet
    bool loose = false;         // its box there may not fit, see `loose` below
    bool on_way = false;        // a step is being taken, and its box holds all of its way
    std::uint64_t changed = 0;  // the revision in which it last moved, or became another
    std::uint64_t became = 0;   // the revision in which it got its object or shape

    bool is_body() const { return object || shape; }
    Form form() const { return object ? Form(*object) : Form(*shape); }
  };

  SceneGraph graph;
  std::vector<Body> bodies;  // of each node
  Index body_count = 0;
  Index shape_count = 0;  // of these, those that are shapes
  PairFilter filter;

  std::unique_ptr<BroadPhase> boxes = make_broad_phase();
  std::vector<Index> node_of_box;  // of each number

  Index checked_body(NodeId body) const;
  Form form(Index body) const { return bodies[body].form(); }
  /// Throws InvalidInput for a shape.
  const Object& object(Index body) const {
    if (!bodies[body].object) no_object(body);
    return *bodies[body].object;
  }
  [[noreturn]] void no_object(Index body) const;
  /// Throws InvalidInput for a shape that cannot be a body of these options at that node; kNone: a
  /// node that is not there yet.
  void check_shape(const Shape& shape, const BodyOptions& options, Index node) const;
  /// Makes a node a body of this kind.
  void set_form(Index node, Object object);
  void set_form(Index node, Shape shape);
  /// It is about to be another, or to go.
  void drop_form(Index node);

  bool in_step = false;  // a step is being taken
  /// Counts changes of bodies.
  std::uint64_t revision = 0;
  /// Bodies whose boxes in the broad phase may be too large, or in the wrong place.
  std::vector<Index> loose;

  /// Brings the poses of all bodies up to date; those that moved are loose from then on.
  void refresh_poses();
  /// Brings poses and boxes of all bodies up to date.
  void refresh();
  /// Brings boxes of loose bodies up to date, but of those for which `stays_loose(node)`.
  template <class Stays>
  void tighten(const Stays& stays_loose) {
    box_numbers.clear();
    new_boxes.clear();
    for (const Index node : loose)
      if (bodies[node].loose && !stays_loose(node))
        set_box(node, world_box(bodies[node].form(), bodies[node].pose));
    flush_boxes();
    std::erase_if(loose, [&](Index node) {
      if (bodies[node].loose && stays_loose(node)) return false;
      bodies[node].loose = false;
      return true;
    });
  }
  /// To be called when a body moved or became another.
  void body_changed(Index node);
  void set_loose(Index node);
  /// Gives a body a box in the broad phase; takes effect with flush_boxes.
  void set_box(Index node, const Aabb& box);
  void flush_boxes();
  void drop_box(Index node);

  // Memory of set_box holds what flush_boxes is to move.
  std::vector<Index> box_numbers;
  std::vector<RoundedBox> new_boxes;

  /// Around a body that is no half space, in its own frame; found when it is first asked for.
  const Ball& ball_of(Index node);

  /// Whether two bodies are a pair at all.
  bool may_pair(Index a, Index b) const;
  static bool may_pair(const BodyOptions& x, const BodyOptions& y);
  /// Pairs whose boxes overlap, or are at most that far apart, in ascending order; but not those
  /// whose balls are farther apart than twice a clearance that is not 0.
  std::vector<std::pair<Index, Index>> candidates(double clearance);
  /// Asks the broad phase, which finds boxes that moved by their neighbours from then on.
  std::span<const BoxPair> list_pairs();
  /// Does as refresh. A search looks at all boxes that moved since pairs were listed: when that has
  /// become too many, they are.
  void refresh_for_search();
  std::size_t unlisted = 0;  // boxes that moved since, at most
  std::size_t scanned = 0;   // looks at them in searches

  /// Bodies whose boxes overlap a box, in ascending order.
  std::vector<Index> in_box(const Aabb& box) const;

 private:
  struct KnownBall {
    std::uint64_t became = 0;  // the revision in which the body became what it is
    Ball ball;
  };
  std::vector<KnownBall> balls_;    // of each node, once it was asked for
  std::vector<Ball> placed_balls_;  // of each node, in the world; grown by rounding
  PairSort pair_sort_;

  void place_balls();
};

}  // namespace touche
