// SPDX-License-Identifier: Apache-2.0
#include "study/contact_faces.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "path/face_normal.h"
#include "study/step_bounds.h"

namespace touche::study {
namespace {

// Contacts whose beginnings differ by less than this share of the path are the same: half of the
// smallest step after which a path tests whether a contact has ended.
constexpr double kSameBeginning = 1.0 / 1024;

// A face replaces the given one only if its cosine is larger by more than rounding.
constexpr double kNearer = 1e-9;

// The absolute cosine between a face's normal and a unit vector, so the orientation of the face
// does not matter.
double likeness(const PolygonSoup& soup, Index face, const Vec3& normal) {
  const Vec3 own = paths::face_normal(soup, face);
  const double length = own.norm();
  return length > 0 ? std::abs(own.dot(normal)) / length : -1;
}

Index corner_before(const PolygonSoup& soup, Index corner) {
  Index before = corner;
  while (soup.next_corner(before) != corner) before = soup.next_corner(before);
  return before;
}

// Calls visit(corner) for the corners around a vertex that are reached from this one across
// opposite half-edges.
template <class Visit>
void around_vertex(const PolygonSoup& soup, Index start, const Visit& visit) {
  constexpr int kMost = 1000;  // steps in each direction; bounds the loop in malformed soups
  Index corner = start;
  for (int i = 0; i < kMost; ++i) {
    const Index twin = soup.opposite(corner);
    if (twin == kNone) break;
    corner = soup.next_corner(twin);
    if (corner == start) return;
    visit(corner);
  }
  corner = start;
  for (int i = 0; i < kMost; ++i) {
    corner = soup.opposite(corner_before(soup, corner));
    if (corner == kNone || corner == start) return;
    visit(corner);
  }
}

void fit(const Study& study, const std::vector<Object>& parts, std::size_t part_a,
         std::size_t part_b, double s, Contact& contact) {
  fit_face(parts[part_a].soup(), pose_of_part(study, part_a, s).inverse().rotate(contact.normal),
           contact.face_a, contact.feature_a);
  fit_face(parts[part_b].soup(), pose_of_part(study, part_b, s).inverse().rotate(contact.normal),
           contact.face_b, contact.feature_b);
}

// The beginning of a contact as a step reports it.
struct Beginning {
  Bracket s;
  const Contact* contact;
};

}  // namespace

void fit_face(const PolygonSoup& soup, const Vec3& normal, Index& face, Feature& feature) {
  if (face >= soup.face_count() || feature.kind == FeatureKind::face) return;
  double best = likeness(soup, face, normal) + kNearer;
  const auto consider = [&](Index corner) {
    const Index other = soup.face_of_corner(corner);
    const double likes = likeness(soup, other, normal);
    if (!(likes > best)) return;
    best = likes;
    face = other;
    if (feature.kind == FeatureKind::edge) feature.index = corner;
  };
  if (feature.kind == FeatureKind::edge) {
    if (const Index twin = soup.opposite(feature.index); twin != kNone) consider(twin);
    return;
  }
  const Index begin = soup.face_begin(face), end = soup.face_begin(face + 1);
  for (Index corner = begin; corner < end; ++corner)
    if (soup.corner_vertex(corner) == feature.index) return around_vertex(soup, corner, consider);
}

void agree_on_contacts(const Study& study, const std::vector<Object>& parts, StudyResult& result) {
  if (has_drawings(study)) return;  // edges of outlines have no faces around them
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Beginning>> beginnings;
  for (PairStep& pair : result.pairs) {
    if (!pair.contact) continue;
    const Bracket s{path_position(study, pair.step, pair.time.lower),
                    path_position(study, pair.step, pair.time.upper)};
    fit(study, parts, pair.part_a, pair.part_b, s.upper, *pair.contact);
    beginnings[{pair.part_a, pair.part_b}].push_back({s, &*pair.contact});
  }
  for (PairPath& pair : result.paths) {
    double before = -1;  // the previous contact has ended by then
    for (ContactInterval& c : pair.path.contacts) {
      if (c.first) fit(study, parts, pair.part_a, pair.part_b, c.start.upper, *c.first);
      if (c.last) fit(study, parts, pair.part_a, pair.part_b, c.end.lower, *c.last);
      for (const Beginning& step : beginnings[{pair.part_a, pair.part_b}]) {
        const double s = step.s.upper;
        if (s <= before || s > c.end.lower || std::abs(s - c.start.upper) > kSameBeginning)
          continue;
        // Both searches are correct: parts that are within the tolerance at s may be proved not to
        // touch until later. So the contact begins at s, and the proof of no contact is limited to
        // s.
        c.start = {std::min(c.start.lower, s), s};
        c.first = *step.contact;
        break;
      }
      before = c.end.upper;
    }
  }
}

}  // namespace touche::study
