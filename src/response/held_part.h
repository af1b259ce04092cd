// SPDX-License-Identifier: Apache-2.0
// The part at a node of a world: its bodies, its mass, its reach, and what is near it.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "response/quadratic_program.h"
#include "touche/mass.h"
#include "touche/near_faces.h"
#include "world/world_data.h"

namespace touche::response {

/// A contact candidate of a body of the part with another body: features, points and normal in
/// world coordinates; a is the body of the part.
struct NearContact {
  Index held = kNone, other = kNone;  ///< nodes
  Contact contact;
};

/// The part of a budget that a search for near contacts has taken. Triangles are tested several
/// together, so a test counts a quarter of a pair of nodes.
inline std::uint64_t work_of_look(const QueryStats& stats) {
  return stats.node_pairs + stats.primitive_tests / 4;
}

class HeldPart {
 public:
  /// Throws InvalidInput if the node does not exist, or has no body or a half space below it.
  /// Without `mass`, it is computed from the bodies as they are now, with sides of at least
  /// `least_side` where they are filled as boxes.
  HeldPart(World::Data& world, NodeId node, const std::optional<MassProperties>& mass,
           double least_side);

  /// Updates the part after bodies were attached or removed. Throws as above.
  void refresh();

  NodeId node() const { return node_; }
  const MassProperties& mass() const { return mass_; }
  const Pose& pose() const { return world_->graph.pose(node_.index); }
  /// Distance from the centre of mass to the farthest point of a body's box.
  double reach() const { return reach_; }

  /// Energy of a spring of stiffness 1, for twists about the centre of mass:  ½ xᵀ metric x.
  Mat6 metric(const Pose& pose) const;

  /// Finds all near contacts up to a margin, body by body, with one budget for all. Returns false
  /// if that ended first.
  bool find_contacts(const NearOptions& options, std::vector<NearContact>& contacts,
                     QueryStats& stats);
  /// How far the part is from the bodies of the contacts. A contact of two objects has their
  /// distance. Contacts of a shape are features that face each other along a normal, which may be
  /// nearer than the bodies: so the distance of the bodies is measured where that of a contact is
  /// at most `enough`, as far as the budget goes.
  struct Gap {
    double least = kInfinity;  // of the known distances
    bool complete = true;      // all are known
  };
  Gap gap(std::span<const NearContact> contacts, double enough, Budget left, QueryStats& stats);
  /// Computes once what motions along the objects within the margin need.
  void prepare_motions(double margin);
  /// Second derivatives of the contact's gap by the twist about the centre of mass.
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

}  // namespace touche::response
