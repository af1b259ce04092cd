// SPDX-License-Identifier: Apache-2.0
#include "shape/contact_patch.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

#include "math/rounding.h"

namespace touche::shape {
namespace {

using Vec2 = Eigen::Vector2d;

// Two edges whose directions differ less than `kAlikeEdges` define no normal of their own; neither
// does a polygon that is inclined by more than `kMostLean` to the direction.
constexpr double kAlikeEdges = 0.05, kMostLean = 0.1;
// Points within this share of the margin of a plane lie in it.
constexpr double kPlane = 1e-3;

double cross(const Vec2& p, const Vec2& q) { return p.x() * q.y() - p.y() * q.x(); }

class Patch {
 public:
  Patch(const ContactPart& a, const ContactPart& b, const Vec3& direction, double margin,
        double slack, std::vector<Contact>& contacts)
      : a_(a), b_(b), n_(direction), margin_(margin), slack_(slack), contacts_(contacts) {
    int least = 0;
    n_.cwiseAbs().minCoeff(&least);
    u_ = n_.cross(Vec3::Unit(least)).normalized();
    v_ = n_.cross(u_);
    const std::optional<Vec3> of_a = plane_of(a, n_), of_b = plane_of(b, -n_);
    is_plane_a_ = of_a.has_value(), is_plane_b_ = of_b.has_value();
    normal_a_ = of_a ? *of_a : n_;
    normal_b_ = of_b ? Vec3(-*of_b) : n_;
    thread_local std::vector<Vec2> flat_a, flat_b;
    flat_a_ = &flat_a, flat_b_ = &flat_b;
    flatten(a, flat_a);
    flatten(b, flat_b);
    thread_local std::vector<Vec2> places;
    places_ = &places;
    places.clear();
  }

  void find() {
    for (std::size_t i = 0; i < a_.size(); ++i)
      if (a_.is_sharp_vertex[i] && is_new((*flat_a_)[i])) add_corner_of_a(i);
    for (std::size_t j = 0; j < b_.size(); ++j)
      if (b_.is_sharp_vertex[j] && is_new((*flat_b_)[j])) add_corner_of_b(j);
    for (std::size_t i = 0; i < edges(a_); ++i)
      for (std::size_t j = 0; j < edges(b_); ++j)
        if (a_.is_sharp_edge[i] && b_.is_sharp_edge[j]) add_crossing(i, j);
  }

 private:
  static std::size_t edges(const ContactPart& part) {
    return part.size() > 2 ? part.size() : part.size() - 1;
  }
  /// The normal of a part that is a plane polygon; empty for other parts, which belong to a
  /// slightly curved surface.
  std::optional<Vec3> plane_of(const ContactPart& part, const Vec3& direction) const {
    if (part.size() < 3) return {};
    const Vec3 normal = part.normal();
    if (!(normal.dot(direction) > std::sqrt(1 - kMostLean * kMostLean))) return {};
    for (const Vec3& p : part.points)
      if (std::abs(normal.dot(p - part.points[0])) > kPlane * margin_) return {};
    return normal;
  }
  Vec2 flat(const Vec3& x) const { return {u_.dot(x), v_.dot(x)}; }
  void flatten(const ContactPart& part, std::vector<Vec2>& flat) const {
    flat.clear();
    for (const Vec3& p : part.points) flat.push_back(this->flat(p));
  }

  /// Polygons may run clockwise or counter-clockwise.
  bool lies_over(const Vec2& x, const std::vector<Vec2>& part) const {
    if (part.size() == 1) return (x - part[0]).norm() <= slack_;
    if (part.size() == 2) {
      const Vec2 e = part[1] - part[0];
      const double t = std::clamp((x - part[0]).dot(e) / e.squaredNorm(), 0.0, 1.0);
      return (x - part[0] - t * e).norm() <= slack_;
    }
    const double way = &part == flat_b_ ? -1 : 1;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const Vec2 &p = part[i], e = part[(i + 1) % part.size()] - p;
      if (way * cross(e, x - p) < -slack_ * e.norm()) return false;
    }
    return true;
  }

  bool is_new(const Vec2& x) const {
    return std::none_of(places_->begin(), places_->end(),
                        [&](const Vec2& p) { return (p - x).norm() <= 2 * slack_; });
  }

  // Takes points of the cores, without the balls.
  void add(const Vec3& at_a, const Vec3& at_b, const Vec3& normal, const Feature& of_a,
           const Feature& of_b, const Vec2& place) {
    const Vec3 on_a = at_a + a_.radius * normal, on_b = at_b - b_.radius * normal;
    const double gap = normal.dot(on_b - on_a);
    if (!(gap <= margin_)) return;
    places_->push_back(place);
    Contact contact;
    contact.feature_a = of_a;
    contact.feature_b = of_b;
    contact.normal = normal;
    contact.distance = std::max(0.0, gap);
    contact.point_a = on_a;
    contact.point_b = on_b;
    if (!(gap > 0)) contact.point_a = contact.point_b = 0.5 * (on_a + on_b);
    contacts_.push_back(contact);
  }

  // The point where a line through x along the normal meets a part. x must lie over the part.
  Vec3 foot(const Vec3& x, const ContactPart& part, bool is_plane, const Vec3& normal) const {
    if (part.size() == 1) return part.points[0];
    if (part.size() == 2) {
      const Vec3 e = part.points[1] - part.points[0];
      return part.points[0] +
             std::clamp((x - part.points[0]).dot(e) / e.squaredNorm(), 0.0, 1.0) * e;
    }
    if (is_plane) return x + normal.dot(part.points[0] - x) * normal;
    return foot_on_fan(flat(x), part);
  }

  // The fan of chords lies inside the body, so it is never nearer than the body's surface.
  Vec3 foot_on_fan(const Vec2& x, const ContactPart& part) const {
    Vec3 best = part.points[0];
    double inside = -kInfinity;
    for (std::size_t k = 2; k < part.size(); ++k) {
      const Vec2 p = flat(part.points[0]), q = flat(part.points[k - 1]) - p,
                 r = flat(part.points[k]) - p;
      const double area = cross(q, r);
      if (area == 0) continue;
      const double s = cross(x - p, r) / area, t = cross(q, x - p) / area;
      const double least = std::min({s, t, 1 - s - t});
      if (!(least > inside)) continue;
      inside = least;
      best = (1 - s - t) * part.points[0] + s * part.points[k - 1] + t * part.points[k];
    }
    return best;
  }
  // Returns the feature of a part that lies under a point.
  static Feature under(const ContactPart& part) {
    if (part.size() == 1) return part.vertices[0];
    return part.size() == 2 ? part.edges[0] : part.face;
  }

  void add_corner_of_a(std::size_t i) {
    const Vec3& x = a_.points[i];
    const Vec3 y = foot(x, b_, is_plane_b_, normal_b_);
    if (!lies_over(b_.size() > 2 ? flat(y) : (*flat_a_)[i], *flat_b_)) return;
    add(x, b_.size() > 2 ? y : Vec3(x + n_.dot(y - x) * n_), normal_b_, a_.vertices[i], under(b_),
        (*flat_a_)[i]);
  }
  void add_corner_of_b(std::size_t j) {
    const Vec3& y = b_.points[j];
    const Vec3 x = foot(y, a_, is_plane_a_, normal_a_);
    if (!lies_over(a_.size() > 2 ? flat(x) : (*flat_b_)[j], *flat_a_)) return;
    add(a_.size() > 2 ? x : Vec3(y + n_.dot(x - y) * n_), y, normal_a_, under(a_), b_.vertices[j],
        (*flat_b_)[j]);
  }

  void add_crossing(std::size_t i, std::size_t j) {
    const std::size_t i2 = (i + 1) % a_.size(), j2 = (j + 1) % b_.size();
    const Vec2 &p = (*flat_a_)[i], &q = (*flat_b_)[j];
    const Vec2 e = (*flat_a_)[i2] - p, f = (*flat_b_)[j2] - q;
    const double sine = cross(e, f);
    if (!(std::abs(sine) > 1e-9 * e.norm() * f.norm())) return;
    const double s = cross(q - p, f) / sine, t = cross(q - p, e) / sine;
    if (!(s > 0 && s < 1 && t > 0 && t < 1)) return;
    const Vec2 place = p + s * e;
    if (!is_new(place)) return;
    const Vec3 &x = a_.points[i], &y = b_.points[j];
    const Vec3 along_a = a_.points[i2] - x, along_b = b_.points[j2] - y;
    Vec3 normal = n_;
    if (std::abs(sine) > kAlikeEdges * e.norm() * f.norm()) {
      normal = along_a.cross(along_b).normalized();
      if (normal.dot(n_) < 0) normal = -normal;
    }
    add(x + s * along_a, y + t * along_b, normal, a_.edges[i], b_.edges[j], place);
  }

  const ContactPart &a_, &b_;
  const Vec3 n_;
  const double margin_, slack_;
  std::vector<Contact>& contacts_;
  Vec3 u_, v_, normal_a_, normal_b_;
  bool is_plane_a_ = false, is_plane_b_ = false;
  std::vector<Vec2>*flat_a_, *flat_b_, *places_;
};

}  // namespace

void find_patch(const ContactPart& a, const ContactPart& b, const Vec3& direction, double margin,
                double slack, std::vector<Contact>& contacts) {
  Patch(a, b, direction, margin, slack, contacts).find();
}

}  // namespace touche::shape
