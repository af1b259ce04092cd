// SPDX-License-Identifier: Apache-2.0
#include "dynamics/sliding_pair.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "query/object_thread.h"

namespace touche::dynamics {
namespace {

// Limits of the difference of two axes: the sine of their angle, and their distance as a share of
// the size. Beyond, neither surface slides in the other. Limit of the difference of advances per
// radian, as a share of the size.
constexpr double kMostOffAxis = 0.1, kMostAdvanceOff = 1e-3;

// Rounds that fit the advance to the sliding faces alone: the ends of a nut distort it.
constexpr int kAdvanceRounds = 3;

// Half of a facet's length along the slide, as a share of its distance from the axis: larger facets
// approximate nothing round.
constexpr double kMostFacet = 0.35;
// The slide may lead through a face by the share kMostOff of the advance along the face's normal,
// and by an angle whose sine is kRounding: facets that edges cut obliquely are off by that.
constexpr double kMostOff = 0.25, kRounding = 1e-3;

Screw screw_of(const query::ObjectThread& thread) {
  const query::HelixMotion::Map& map = thread.map();
  return {-(map.rotation.transpose() * map.translation), map.rotation.row(2).transpose(),
          thread.advance()};
}

// A face where a facet lies along the slide: at the middle of the edge that is most parallel to the
// slide.
struct FaceMiddle {
  Vec3 normal, point;  // the normal has any length
  double extent;       // half the length of that edge
};

FaceMiddle middle_of(const PolygonSoup& soup, Index face, const Screw& screw) {
  const std::span<const Index> corners = soup.face(face);
  const auto at = [&](std::size_t i) -> const Vec3& { return soup.vertex(corners[i]); };
  FaceMiddle best{(at(1) - at(0)).cross(at(2) - at(0)), at(0), 0};
  double most = -1;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3 &begin = at(i), &end = at((i + 1) % corners.size()), middle = 0.5 * (begin + end);
    const double length = (end - begin).norm(),
                 along = std::abs((end - begin).dot(screw.velocity(middle).normalized())) / length;
    if (!(along > most)) continue;
    most = along;
    best.point = middle;
    best.extent = 0.5 * length;
  }
  return best;
}

// True if the slide leads along the face. Through a face that does not advance with the slide, as
// on a cone or an end, it leads by all of the advance.
bool slides_at(const FaceMiddle& at, const Screw& screw) {
  const Vec3 velocity = screw.velocity(at.point);
  const double radius = screw.axis.cross(at.point - screw.point).norm();
  return at.extent < kMostFacet * radius &&
         std::abs(at.normal.dot(velocity)) <=
             kMostOff * std::abs(screw.advance * at.normal.dot(screw.axis)) +
                 kRounding * at.normal.norm() * velocity.norm();
}

// The angle about an axis that a rotation contains; of the angles that differ by full turns, the
// one nearest to `about`.
double twist_about(const Vec3& axis, const Mat3& turn, double about) {
  const Eigen::Quaterniond q(turn);
  const double twist = 2 * std::atan2(q.vec().dot(axis), q.w()), whole = 2 * std::numbers::pi;
  return twist + whole * std::round((about - twist) / whole);
}

}  // namespace

std::unique_ptr<const SlidingSurface> SlidingSurface::of(const Object& object) {
  const query::ObjectThread* const thread = query::thread_of(object);
  if (thread == nullptr) return nullptr;
  auto surface = std::make_unique<SlidingSurface>();
  const PolygonSoup& soup = object.soup();
  Screw& screw = surface->screw_;
  screw = screw_of(*thread);
  surface->faces_.resize(soup.face_count());
  for (int round = 0; round < kAdvanceRounds; ++round) {
    double across = 0, along = 0;
    for (Index face = 0; face < soup.face_count(); ++face) {
      const FaceMiddle at = middle_of(soup, face, screw);
      surface->faces_[face] = slides_at(at, screw);
      if (!surface->faces_[face]) continue;
      const double of_axis = at.normal.dot(screw.axis);
      across -= of_axis * at.normal.dot(screw.axis.cross(at.point - screw.point));
      along += of_axis * of_axis;
    }
    if (along > 0) screw.advance = across / along;
  }
  return surface;
}

bool SlidingSurface::slides(const PolygonSoup& soup, const Feature& feature) const {
  if (feature.kind == FeatureKind::vertex) return false;
  if (feature.kind == FeatureKind::face) return faces_[feature.index];
  const Index twin = soup.opposite(feature.index);
  return faces_[soup.face_of_corner(feature.index)] &&
         (twin == kNone || faces_[soup.face_of_corner(twin)]);
}

const SlidingSurface* SlidingSurfaces::of(const Object& object) {
  const auto at = std::find_if(known_.begin(), known_.end(), [&](const Known& known) {
    return &known.object.soup() == &object.soup();
  });
  if (at != known_.end()) return at->surface.get();
  return known_.emplace_back(Known{object, SlidingSurface::of(object)}).surface.get();
}

std::optional<SlidingPair> SlidingPair::of(const Body& a, const Body& b, double size) {
  if (a.screw.axis.cross(b.screw.axis).norm() > kMostOffAxis ||
      a.screw.axis.cross(b.screw.point - a.screw.point).norm() > kMostOffAxis * size ||
      std::abs(a.screw.advance - b.screw.advance) > kMostAdvanceOff * size)
    return {};
  return SlidingPair(a, b);
}

SlidingPair::Side SlidingPair::side(const Feature& a, const Feature& b) const {
  const auto is_face = [](const Feature& f) { return f.kind == FeatureKind::face; };
  if (!is_face(b) && a_.surface->slides(*a_.soup, a)) return Side::a;
  if (!is_face(a) && b_.surface->slides(*b_.soup, b)) return Side::b;
  return Side::none;
}

std::size_t SlidingPair::part(const Vec3& point, const Vec3& normal) const {
  const Vec3& axis = a_.screw.axis;
  const Vec3 from = point - a_.screw.point, x = axis.unitOrthogonal();
  const double angle = std::atan2(axis.cross(x).dot(from), x.dot(from)) + std::numbers::pi;
  const auto sector = static_cast<std::size_t>(angle * (kSectors / (2 * std::numbers::pi)));
  return std::min(sector, kSectors - 1) + (normal.dot(axis) > 0 ? kSectors : 0);
}

Vec3 SlidingPair::smooth(Side side, const Vec3& point, const Vec3& normal) const {
  const Vec3 along = screw(side).velocity(point).normalized();
  return (normal - normal.dot(along) * along).normalized();
}

Shift SlidingPair::beside(Side side, const Shift& motion, const Vec3& turn) const {
  const Screw& s = screw(side);
  const double angle = twist_about(s.axis, motion.turn, turn.dot(s.axis));
  const Mat3 back = Eigen::AngleAxisd(-angle, s.axis).toRotationMatrix();
  const Shift slide{back, s.point - back * s.point - (s.advance * angle) * s.axis};
  return side == Side::a ? Shift{back * motion.turn, slide(motion.shift)}
                         : Shift{motion.turn * back, motion(slide.shift)};
}

SlidingPair SlidingPair::moved(const Shift& rest) const {
  SlidingPair pair = *this;
  pair.b_.screw.point = rest(b_.screw.point);
  pair.b_.screw.axis = rest.turn * b_.screw.axis;
  return pair;
}

}  // namespace touche::dynamics
