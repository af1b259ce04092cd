// SPDX-License-Identifier: Apache-2.0
// Holds the part that hangs on a node of a world: its bodies, its mass, how far it reaches, and
// what is near it.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "response/quadratic_program.h"
#include "touche/mass.h"
#include "touche/near_faces.h"
#include "world/world_data.h"

namespace touche {

/// A place where a body of the part may touch another: features, points and normal in world
/// coordinates, a is the body of the part.
struct NearContact {
  Index held = kNone, other = kNone;  ///< nodes
  Contact contact;
};

/// Tells what a look at what is near takes of a budget. Triangles are tested several together, so a
/// test counts a quarter of a pair of nodes.
inline std::uint64_t work_of_look(const QueryStats& stats) {
  return stats.node_pairs + stats.primitive_tests / 4;
}

class HeldPart {
 public:
  /// Throws InvalidInput where the node is not there, no body hangs on it or a half space does.
  /// Without `mass` it is found from the bodies, as they are now; `least_side` of those that are
  /// filled as boxes.
  HeldPart(World::Data& world, NodeId node, const std::optional<MassProperties>& mass,
           double least_side);

  /// Follows what was hung on or taken away. Throws as above.
  void refresh();

  NodeId node() const { return node_; }
  const MassProperties& mass() const { return mass_; }
  const Pose& pose() const { return world_->graph.pose(node_.index); }
  /// Gives the way from the centre of mass to the farthest point of a body's box.
  double reach() const { return reach_; }

  /// Energy of a spring of stiffness 1, for twists about the centre of mass:  ½ xᵀ metric x.
  Mat6 metric(const Pose& pose) const;

  /// All near contacts up to a margin, body by body, which share the budget. False where that ended
  /// first.
  bool find_contacts(const NearOptions& options, std::vector<NearContact>& contacts,
                     QueryStats& stats);
  /// Tells how far the part is from what the contacts are with. Those of two objects tell their
  /// distance; those of a shape are parts that lie over each other, whose distance along a normal
  /// may be less than that of the bodies, so it is measured where it is no more than `enough`, as
  /// far as the budget goes.
  struct Gap {
    double least = kInfinity;  // of those that are known
    bool complete = true;      // all are
  };
  Gap gap(std::span<const NearContact> contacts, double enough, Budget left, QueryStats& stats);
  /// Finds out once what motions along the objects within the margin need.
  void prepare_motions(double margin);
  /// Second derivatives of its gap by the twist about the centre of mass.
  Mat6 curvature(const NearContact& near) const;

 private:
  void find_others(Index node, double margin);
  MassProperties mass_of_bodies(double least_side) const;

  World::Data* world_;
  NodeId node_;
  std::vector<Index> bodies_;
  std::vector<bool> is_held_;  // of each node
  MassProperties mass_;
  double reach_ = 0;
  std::pair<std::uint64_t, std::uint64_t> known_{};  // revision and changes of the world

  std::vector<Index> others_;
  NearResult near_;
  Workspace workspace_;
};

}  // namespace touche
