// SPDX-License-Identifier: Apache-2.0
#include "dynamics/contact_list.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "bvh/object_data.h"

namespace touche::dynamics {
namespace {

// More candidates than kFewPairs are too many, see NearQuestion.
constexpr std::size_t kFewPairs = 64, kAll = static_cast<std::size_t>(-1);
// Limit of work for finding out whether there are too many.
constexpr std::uint64_t kLittle = 100;

// Returns a contact that was found at other poses as a candidate: its points move with the bodies.
NearPlace placed(const Contact& contact, const Pose& move_a, const Pose& move_b) {
  const Vec3 point_a = move_a * contact.point_a, point_b = move_b * contact.point_b;
  NearPlace place;
  place.feature_a = contact.feature_a;
  place.feature_b = contact.feature_b;
  place.point = 0.5 * (point_a + point_b);
  place.normal = contact.normal;
  place.distance = contact.normal.dot(point_b - point_a);
  return place;
}

// Sines of angles between edges or faces and the plane of a side. What is nearer than kLevel lies
// in the plane; near_features lists nothing that rises by more than a fiftieth. What is no steeper
// than kSteep belongs to a smooth surface, which has no sides. Edges that cross at an angle below
// kCrossing do not determine a normal well.
constexpr double kLevel = 0.03, kSteep = 0.25, kCrossing = 0.1;

// The side of a soup at a vertex whose normal is near a unit vector, in the soup's frame.
std::optional<Vec3> side_at_vertex(const Object& object, Index v, const Vec3& near) {
  const PolygonSoup& soup = object.soup();
  Vec3 first = Vec3::Zero(), normal = Vec3::Zero();
  for (const Index other : bvh::features_of(object).ring(v)) {
    const Vec3 along = (soup.vertex(other) - soup.vertex(v)).stableNormalized();
    const double rise = along.dot(near);
    if (rise < -kSteep) continue;
    if (!(std::abs(rise) <= kLevel)) return {};
    const Vec3 across = first.cross(along);
    if (first.isZero(0)) first = along;
    if (across.squaredNorm() > normal.squaredNorm()) normal = across;
  }
  if (!(normal.norm() > kCrossing)) return {};
  return Vec3(std::copysign(1 / normal.norm(), normal.dot(near)) * normal);
}

// The same at an edge.
std::optional<Vec3> side_at_edge(const Object& object, Index half_edge, const Vec3& near) {
  const PolygonSoup& soup = object.soup();
  std::optional<Vec3> side;
  for (const Index corner : {half_edge, soup.opposite(half_edge)}) {
    if (corner == kNone) continue;
    const std::span<const Index> face = soup.face(soup.face_of_corner(corner));
    Vec3 normal = Vec3::Zero();
    for (std::size_t i = 1; i + 1 < face.size(); ++i)
      normal += (soup.vertex(face[i]) - soup.vertex(face[0]))
                    .cross(soup.vertex(face[i + 1]) - soup.vertex(face[0]));
    normal.stableNormalize();
    const double size = normal.cross(near).norm(), along = normal.dot(near);
    if (size > kSteep || along < 0) continue;
    if (!(size <= kLevel) || side) return {};
    side = normal;
  }
  return side;
}

std::optional<Vec3> side_at(const Object& object, const Feature& feature, const Vec3& near) {
  return feature.kind == FeatureKind::vertex ? side_at_vertex(object, feature.index, near)
                                             : side_at_edge(object, feature.index, near);
}

Vec3 along_edge(const PolygonSoup& soup, Index half_edge) {
  const Index first = soup.face_begin(soup.face_of_corner(half_edge));
  const std::span<const Index> face = soup.face(soup.face_of_corner(half_edge));
  const std::size_t at = half_edge - first;
  return (soup.vertex(face[(at + 1) % face.size()]) - soup.vertex(face[at])).stableNormalized();
}

}  // namespace

void level_normals(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   std::span<Contact> contacts) {
  if (!world::are_soups(a, b)) return;
  for (Contact& contact : contacts) {
    const bool is_edge_a = contact.feature_a.kind == FeatureKind::edge,
               is_edge_b = contact.feature_b.kind == FeatureKind::edge;
    if (contact.feature_a.kind == FeatureKind::face ||
        contact.feature_b.kind == FeatureKind::face || !(contact.distance > 0))
      continue;
    if (is_edge_a && is_edge_b &&
        pose_a.rotate(along_edge(a.object().soup(), contact.feature_a.index))
                .cross(pose_b.rotate(along_edge(b.object().soup(), contact.feature_b.index)))
                .norm() > kCrossing)
      continue;
    const std::optional<Vec3> side_a =
        side_at(a.object(), contact.feature_a, pose_a.matrix().transpose() * contact.normal);
    if (!side_a) continue;
    const std::optional<Vec3> side_b =
        side_at(b.object(), contact.feature_b, -(pose_b.matrix().transpose() * contact.normal));
    if (!side_b) continue;
    const Vec3 of_a = pose_a.rotate(*side_a), of_b = -pose_b.rotate(*side_b);
    if (!((of_a - of_b).norm() <= kLevel)) continue;
    // A corner beside an edge has the normal of the side that ends there, as above that side.
    contact.normal = is_edge_a == is_edge_b ? Vec3((of_a + of_b).normalized())
                     : is_edge_a            ? of_a
                                            : of_b;
    contact.distance = contact.normal.dot(contact.point_b - contact.point_a);
  }
}

bool ContactList::still_holds(const World::Data& world, const Found& found,
                              const NearQuestion& pair, double slack) const {
  const World::Data::Body &a = world.bodies[found.a], &b = world.bodies[found.b];
  return a.became == found.became_a && b.became == found.became_b && found.margin >= pair.margin &&
         found.least >= pair.least &&
         world::displacement(*a.shape, found.pose_a, a.pose) +
                 world::displacement(*b.shape, found.pose_b, b.pose) <=
             slack;
}

void ContactList::update(const World::Data& world, std::span<const NearQuestion> pairs,
                         double slack, int threads) {
  next_.clear();
  old_.clear();
  asked_.clear();
  std::size_t known = 0;
  for (const NearQuestion& pair : pairs) {
    const World::Data::Body &a = world.bodies[pair.a], &b = world.bodies[pair.b];
    while (known < found_.size() &&
           std::pair(found_[known].a, found_[known].b) < std::pair(pair.a, pair.b))
      ++known;
    const bool same =
        known < found_.size() && found_[known].a == pair.a && found_[known].b == pair.b;
    if (same && still_holds(world, found_[known], pair, slack)) {
      next_.push_back(found_[known]);
      old_.push_back(static_cast<Index>(known));
      continue;
    }
    asked_.push_back(static_cast<Index>(next_.size()));
    // Margins grow by `slack`, so that a pair that is reused in later steps includes what comes
    // near meanwhile.
    next_.push_back({pair.a, pair.b, a.became, b.became, pair.margin + slack, pair.least + slack,
                     a.pose, b.pose});
    old_.push_back(kNone);
  }

  if (answers_.size() < asked_.size()) answers_.resize(asked_.size());
  questioner_.ask_all(asked_.size(), threads, [&](std::size_t i, Workspace& workspace) {
    const Found& pair = next_[asked_[i]];
    const auto ask = [&](double margin, std::size_t most, std::uint64_t work) {
      near_features(world.shape(pair.a), pair.pose_a, world.shape(pair.b), pair.pose_b,
                    {.max_distance = margin,
                     .max_contacts = most,
                     .budget = {.max_work = work},
                     .workspace = &workspace},
                    answers_[i]);
      level_normals(world.shape(pair.a), pair.pose_a, world.shape(pair.b), pair.pose_b,
                    answers_[i].contacts);
      return answers_[i].complete;
    };
    if (!ask(pair.margin, kFewPairs, kLittle)) ask(pair.least, kAll, Budget::kUnlimited);
  });

  next_contacts_.clear();
  places_.clear();
  std::size_t answer = 0;
  for (std::size_t i = 0; i < next_.size(); ++i) {
    Found& pair = next_[i];
    const Index first = static_cast<Index>(next_contacts_.size());
    if (old_[i] != kNone)
      next_contacts_.insert(next_contacts_.end(), contacts_.begin() + pair.first,
                            contacts_.begin() + pair.last);
    else {
      const std::vector<Contact>& contacts = answers_[answer++].contacts;
      next_contacts_.insert(next_contacts_.end(), contacts.begin(), contacts.end());
    }
    pair.first = first;
    pair.last = static_cast<Index>(next_contacts_.size());
    const Pose move_a = world.bodies[pair.a].pose * pair.pose_a.inverse();
    const Pose move_b = world.bodies[pair.b].pose * pair.pose_b.inverse();
    for (Index c = pair.first; c < pair.last; ++c) {
      NearPlace place = placed(next_contacts_[c], move_a, move_b);
      place.a = pair.a;
      place.b = pair.b;
      places_.push_back(place);
    }
  }
  found_.swap(next_);
  contacts_.swap(next_contacts_);
}

}  // namespace touche::dynamics
