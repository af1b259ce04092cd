// SPDX-License-Identifier: Apache-2.0
// A path in the plane is the path of the objects in space that stand on the outlines: they have the
// same distances at the same times, and the outlines stored in them determine what lies inside.
#include "touche/plane.h"

namespace touche::plane {
namespace {

Feature feature_of_edge(const touche::Feature& f) {
  // The first corner of face e, from which edge e leads, is corner 3 e.
  return f.kind == FeatureKind::edge ? Feature{f.kind, f.index / 3} : f;
}

std::optional<Contact> contact_of_edges(const std::optional<touche::Contact>& c) {
  if (!c) return std::nullopt;
  return Contact{c->face_a,
                 c->face_b,
                 feature_of_edge(c->feature_a),
                 feature_of_edge(c->feature_b),
                 c->point_a.head<2>(),
                 c->point_b.head<2>(),
                 c->normal.head<2>(),
                 c->distance};
}

ContactInterval interval_of_edges(const touche::ContactInterval& c) {
  ContactInterval result{c.start,
                         c.end,
                         contact_of_edges(c.first),
                         contact_of_edges(c.last),
                         c.after,
                         {},
                         c.deepest_at,
                         c.max_thickness,
                         c.max_touching_thickness,
                         c.only_touching,
                         c.touching_until};
  result.deepest = {c.deepest.diameter, c.deepest.centre.head<2>(), c.deepest.complete,
                    c.deepest.work};
  return result;
}

}  // namespace

PathResult path(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
                const PathOptions& options) {
  touche::PathResult found =
      touche::path(a.in_space(), motion_a.in_space(), b.in_space(), motion_b.in_space(), options);
  PathResult result;
  result.verdict = found.verdict;
  for (const touche::ContactInterval& c : found.contacts)
    result.contacts.push_back(interval_of_edges(c));
  result.samples = std::move(found.samples);
  result.min_clearance = found.min_clearance;
  result.min_clearance_at = found.min_clearance_at;
  result.before = found.before;
  result.may_reach_in = found.may_reach_in;
  result.decided_until = found.decided_until;
  result.tolerance = found.tolerance;
  result.stats = found.stats;
  return result;
}

}  // namespace touche::plane
