// SPDX-License-Identifier: Apache-2.0
// Time of impact of a moving convex shape and a moving soup. Best-first search over proofs, as for
// two soups: the queue holds nodes and triangles, each with the time until which it is proved
// apart.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "base/budget_meter.h"
#include "base/held_bytes.h"
#include "bvh/object_data.h"
#include "query/workspace.h"
#include "shape/pair_impact.h"
#include "shape/seen_shape.h"

namespace touche::shape {

/// The memory of time-of-impact searches that is kept in a workspace.
struct ShapeMemory : query::OtherMemory {
  struct Waiting {
    double t;              // proved apart until then
    std::uint64_t number;  // order of insertion; breaks ties of equal times
    bvh::NodeRef node;     // used if there is no triangle
    Index triangle;        // kNone: the entry is a node
    Vec3 guess;            // a direction from the shape, in its frame; zero for none
    bool operator<(const Waiting& other) const {
      return t != other.t ? t > other.t : number > other.number;
    }
  };
  struct Separated {
    Index triangle;
    double until;
  };
  std::vector<Waiting> queue;                      // a heap
  std::vector<Separated> separated;                // triangles that touched at the start
  std::array<std::vector<double>, 3> coordinates;  // of corners that a plane may meet

  std::size_t bytes() const override {
    return sizeof(ShapeMemory) +
           base::held_bytes(queue, separated, coordinates[0], coordinates[1], coordinates[2]);
  }
};

/// The memory in the caller's workspace, or in one of this thread if there is none.
class ShapeMemoryUse {
 public:
  explicit ShapeMemoryUse(Workspace* workspace) : all_(workspace) {
    if (!all_->shapes) all_->shapes = std::make_unique<ShapeMemory>();
  }
  ShapeMemory& operator*() const { return static_cast<ShapeMemory&>(*all_->shapes); }

 private:
  query::WorkspaceUse all_;
};

class SoupImpact {
 public:
  /// All arguments must outlive it; the lengths are checked and include the rounding error. `shape`
  /// is a body. The result names the shape a, the object b.
  SoupImpact(const Mover& shape, const Motion& motion, const Object& object,
             const Motion& object_motion, const ToiOptions& options, const ToiLengths& lengths,
             ShapeMemory& memory, base::BudgetMeter& meter, ToiResult& result);

  /// Searches along both motions and fills in the result.
  void run();

 private:
  using Waiting = ShapeMemory::Waiting;

  bool search(const MovingPair& pair, double begin, double end);
  bool look_at_triangle(const MovingPair& pair, Waiting head, double end);
  void look_at_node(const MovingPair& pair, const Waiting& head, double end);
  void open(const MovingPair& pair, bvh::NodeRef node, const Instant& at, const Vec3& n,
            double end);
  void push(double t, bvh::NodeRef node, Index triangle, const Vec3& guess);
  bool undecided(double t);

  const Mover& shape_;
  const Motion &motion_, &object_motion_;
  const Object& object_;
  const bvh::Bvh& bvh_;
  const BoxBody box_;
  const convex::Body box_body_;
  const Mover whole_;  // the box around the object
  const double t_start_;
  const bool may_separate_;
  const ToiLengths& lengths_;
  base::BudgetMeter& meter_;
  ToiResult& result_;
  std::vector<Waiting>& queue_;
  convex::RigidTransform last_place_;  // pose of the shape in the object at the end of the slice
  std::optional<SeenShape> last_;      // the shape at `last_place_`
  std::vector<ShapeMemory::Separated>& separated_;
  std::uint64_t number_ = 0;
};

}  // namespace touche::shape
