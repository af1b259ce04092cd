// SPDX-License-Identifier: Apache-2.0
// The contact candidates of bodies that are near each other at the start of a step. They are
// searched again only for bodies that have moved.
#pragma once

#include <span>
#include <tuple>
#include <vector>

#include "dynamics/contact_solver.h"
#include "dynamics/sliding_pair.h"
#include "shape/round_feature.h"
#include "touche/near_faces.h"
#include "world/pair_questions.h"
#include "world/world_data.h"

namespace touche::dynamics {

/// A contact candidate of two bodies, in the world.
struct NearPlace {
  Index a = kNone, b = kNone;  // nodes, a < b
  Feature feature_a, feature_b;
  Vec3 point = Vec3::Zero();  // in the middle of the gap
  Vec3 normal = Vec3::UnitX();
  double distance = 0;
  bool at_any_speed = false;                         // counts at any speed of approach
  Index sliding = kNone;                             // number of the sliding pair, see SlidingPair
  SlidingPair::Side side = SlidingPair::Side::none;  // whose surface slides there
};

/// Returns the key by which a candidate is known from step to step. Candidates are sorted by it.
template <class Place>
auto key(const Place& p) {
  return std::tuple(p.a, p.b, p.feature_a.kind, p.feature_a.index, p.feature_b.kind,
                    p.feature_b.index);
}

/// How much the normal of a candidate turns with each body: it is that of a face, or of two edges.
/// If something round touches no face, the normal turns with neither.
struct NormalShares {
  double a = 0.5, b = 0.5;
};
inline NormalShares shares_of_normal(const Feature& a, const Feature& b) {
  if (a.kind == FeatureKind::face) return {1, 0};
  if (b.kind == FeatureKind::face) return {0, 1};
  if (shape::is_round(a) || shape::is_round(b)) return {0, 0};
  return {0.5, 0.5};
}
inline void set_shares(SolverContact& contact, const Feature& a, const Feature& b) {
  const NormalShares shares = shares_of_normal(a, b);
  contact.share_a = shares.a;
  contact.share_b = shares.b;
}

/// Gives contacts where two flat sides lie on each other the normal of these sides. At their edges
/// and corners the nearest points lead past each other by a share of the gap: normals along them
/// lean by up to a fiftieth, in all directions, and would push bodies that lie flat sideways.
void level_normals(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   std::span<Contact> contacts);

/// A pair whose candidates are wanted, and their largest distance: `margin` if that finds few, else
/// `least`.
struct NearQuestion {
  Index a = kNone, b = kNone;
  double margin = 0, least = 0;
};

class ContactList {
 public:
  /// Finds the candidates of these pairs, which are in ascending order, at the world's present
  /// poses. Candidates are reused while both bodies together have moved by no more than `slack`
  /// since they were found. Their distances are then measured between the same points along the
  /// same normals.
  void update(const World::Data& world, std::span<const NearQuestion> pairs, double slack,
              int threads);
  std::span<const NearPlace> places() const { return places_; }

 private:
  struct Found {  // of a pair
    Index a = kNone, b = kNone;
    std::uint64_t became_a = 0, became_b = 0;
    double margin = 0, least = 0;  // the larger counts, unless it found too many
    Pose pose_a, pose_b;
    Index first = 0, last = 0;  // range in contacts_
  };
  bool still_holds(const World::Data& world, const Found& found, const NearQuestion& pair,
                   double slack) const;

  std::vector<Found> found_, next_;
  std::vector<Contact> contacts_, next_contacts_;  // at the poses at which they were found
  std::vector<Index> old_;    // for each of `next_`: number in `found_`; kNone: query it
  std::vector<Index> asked_;  // numbers in `next_`
  std::vector<NearResult> answers_;
  std::vector<NearPlace> places_;
  world::PairQuestioner questioner_;
};

}  // namespace touche::dynamics
