// SPDX-License-Identifier: Apache-2.0
#include "clash/contact_place.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "geometry/face_triangles.h"
#include "touche/near_faces.h"
#include "touche/point_query.h"

namespace touche::clash {
namespace {

using Polygon = std::vector<Vec3>;

constexpr std::uint64_t kMostWork = 2'000'000;
constexpr std::size_t kMostPairs = 100'000;
constexpr int kMostPoints = 4'000;  // tested for the regions of one surface
// Of a triangle's size: what counts as in its plane, as files have single precision, and what as
// within its border, up to rounding.
constexpr double kInPlane = 1e-6, kBorder = 1e-12;
constexpr double kWideReach = 4;  // in `detail`: regions from here on are found by points

double size_of(const Triangle& t) {
  return std::max({(t[1] - t[0]).norm(), (t[2] - t[1]).norm(), (t[0] - t[2]).norm()});
}

// Of length one; zero for a triangle without area.
Vec3 normal_of(const Triangle& t) {
  const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]);
  const double size = size_of(t);
  return n.norm() > kBorder * size * size ? Vec3(n.normalized()) : Vec3(Vec3::Zero());
}

Triangle placed(const PlacedObject& of, Index triangle) {
  const PolygonSoup& soup = of.object.soup();
  const auto& [a, b, c] = soup.triangle(triangle);
  return {of.pose * soup.vertex(a), of.pose * soup.vertex(b), of.pose * soup.vertex(c)};
}

// Calls `visit` for the triangles of two faces.
template <class Visit>
void for_triangles(const PlacedObject& a, Index face_a, const PlacedObject& b, Index face_b,
                   const Visit& visit) {
  const auto [a_begin, a_end] = geometry::face_triangles(a.object.soup(), face_a);
  const auto [b_begin, b_end] = geometry::face_triangles(b.object.soup(), face_b);
  for (Index i = a_begin; i < a_end; ++i) {
    const Triangle t = placed(a, i);
    for (Index j = b_begin; j < b_end; ++j) visit(t, placed(b, j));
  }
}

void add_line(ContactPlace& place, const Vec3& p, const Vec3& q) {
  place.lines.push_back({p, q});
  place.box.include(p);
  place.box.include(q);
}

void add_region(ContactPlace& place, const Polygon& polygon) {
  for (std::size_t i = 2; i < polygon.size(); ++i)
    place.regions.push_back({polygon[0], polygon[i - 1], polygon[i]});
  if (polygon.size() > 2)
    for (const Vec3& p : polygon) place.box.include(p);
}

// Keeps the side where across · x >= least (Sutherland and Hodgman 1974).
void cut(Polygon& polygon, const Vec3& across, double least) {
  Polygon kept;
  const std::size_t count = polygon.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 &p = polygon[i], &q = polygon[(i + 1) % count];
    const double hp = across.dot(p) - least, hq = across.dot(q) - least;
    if (hp >= 0) kept.push_back(p);
    if (i == 1 && count == 2) continue;  // a segment does not lead back
    if ((hp >= 0) != (hq >= 0)) kept.push_back(p + hp / (hp - hq) * (q - p));
  }
  polygon = std::move(kept);
}

// Keeps what is above or below a triangle, up to `reach`, or within its border with a line.
void cut_to_prism(Polygon& polygon, const Triangle& t, const Vec3& normal, double reach) {
  const double slack = kBorder * size_of(t);
  for (int i = 0; i < 3 && !polygon.empty(); ++i) {
    const Vec3 &p = t[static_cast<std::size_t>(i)], &q = t[static_cast<std::size_t>((i + 1) % 3)];
    const Vec3 inwards = normal.cross(q - p).normalized();
    cut(polygon, inwards, inwards.dot(p) - slack);
  }
  const double height = normal.dot(t[0]);
  for (const double side : {1.0, -1.0})
    if (!polygon.empty()) cut(polygon, side * normal, side * height - reach);
}

// The points of a triangle in the plane of another one: none, one, or two that are ends of a
// segment; three if the triangle lies in the plane.
Polygon in_plane(const Triangle& t, const Vec3& normal, const Vec3& of_plane, double slack) {
  std::array<double, 3> height;
  for (std::size_t i = 0; i < 3; ++i) {
    height[i] = normal.dot(t[i] - of_plane);
    if (std::abs(height[i]) <= slack) height[i] = 0;
  }
  Polygon points;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    if (height[i] == 0) points.push_back(t[i]);
    if (height[i] * height[j] < 0)
      points.push_back(t[i] + height[i] / (height[i] - height[j]) * (t[j] - t[i]));
  }
  return points;
}

void add_meeting(ContactPlace& place, const Triangle& a, const Triangle& b) {
  const Vec3 normal_b = normal_of(b);
  if (normal_b.isZero()) {
    if (!normal_of(a).isZero()) add_meeting(place, b, a);
    return;
  }
  const double slack = kInPlane * std::max(size_of(a), size_of(b));
  Polygon common = in_plane(a, normal_b, b[0], slack);
  if (common.size() == 1) common.push_back(common.front());
  cut_to_prism(common, b, normal_b, slack);
  if (common.size() > 2) return add_region(place, common);
  if (!common.empty()) add_line(place, common.front(), common.back());
}

// The regions of a surface near another one, found by halving triangles.
class NearByPoints {
 public:
  NearByPoints(const PlacedObject& other, double reach, double detail, ContactPlace& place)
      : other_(other), reach_(reach), detail_(detail), place_(place) {}

  void search(const PlacedObject& of) {
    std::vector<Triangle> open;
    Aabb box;
    for (const Vec3& v : other_.object.soup().vertices()) box.include(other_.pose * v);
    box.lo.array() -= reach_;
    box.hi.array() += reach_;
    for (const Index face : faces_in_box(of.object, of.pose, box)) {
      const auto [begin, end] = geometry::face_triangles(of.object.soup(), face);
      for (Index t = begin; t < end; ++t) open.push_back(placed(of, t));
    }
    // Level by level, so that a limit leaves no part out.
    for (int points = kMostPoints; !open.empty() && points > -kMostPoints;) {
      std::vector<Triangle> next;
      for (const Triangle& t : open) look_at(t, --points < 0, next);
      open = std::move(next);
    }
  }

 private:
  void look_at(const Triangle& t, bool last, std::vector<Triangle>& next) {
    const Vec3 centre = (t[0] + t[1] + t[2]) / 3;
    double radius = 0;
    for (const Vec3& v : t) radius = std::max(radius, (v - centre).norm());
    const double d = closest_point(other_.object, other_.pose, centre, reach_ + radius).distance;
    if (!(d <= reach_ + radius)) return;
    if (d + radius <= reach_ || ((last || radius <= detail_) && d <= reach_))
      return add_region(place_, {t[0], t[1], t[2]});
    if (last || radius <= detail_) return;
    std::size_t longest = 0;
    for (const std::size_t i : {1, 2})
      if ((t[(i + 1) % 3] - t[i]).norm() > (t[(longest + 1) % 3] - t[longest]).norm()) longest = i;
    const Vec3 &p = t[longest], &q = t[(longest + 1) % 3], &r = t[(longest + 2) % 3];
    const Vec3 middle = 0.5 * (p + q);
    next.push_back({p, middle, r});
    next.push_back({middle, q, r});
  }

  const PlacedObject& other_;
  double reach_, detail_;
  ContactPlace& place_;
};

// Above and below each face the distance from it is that from its plane. Beside it, up to `reach`,
// regions are left out.
void add_near_faces(ContactPlace& place, const PlacedObject& a, const PlacedObject& b,
                    double reach) {
  const NearResult near = near_faces(
      a.object, a.pose, b.object, b.pose,
      {.max_distance = reach, .max_contacts = kMostPairs, .budget = {.max_work = kMostWork}});
  for (const Contact& contact : near.contacts)
    for_triangles(a, contact.face_a, b, contact.face_b, [&](const Triangle& t, const Triangle& u) {
      for (const auto& [of, other] : {std::pair(t, u), std::pair(u, t)}) {
        const Vec3 normal = normal_of(other);
        if (normal.isZero()) continue;
        Polygon polygon(of.begin(), of.end());
        cut_to_prism(polygon, other, normal, reach);
        add_region(place, polygon);
      }
    });
}

double area_of(const std::vector<std::array<Vec3, 3>>& regions) {
  double area = 0;
  for (const auto& [p, q, r] : regions) area += 0.5 * (q - p).cross(r - p).norm();
  return area;
}

std::span<const FacePair> first_pairs(const FacePairsResult& found) {
  return std::span(found.pairs).first(std::min<std::size_t>(found.pairs.size(), kMostPairs));
}

}  // namespace

ContactPlace where_they_meet(const PlacedObject& a, const PlacedObject& b) {
  ContactPlace place;
  const FacePairsResult found =
      intersecting_faces(a.object, a.pose, b.object, b.pose, {.max_work = kMostWork});
  for (const FacePair& pair : first_pairs(found))
    for_triangles(a, pair.a, b, pair.b,
                  [&](const Triangle& t, const Triangle& u) { add_meeting(place, t, u); });
  return place;
}

ContactPlace where_they_are_near(const PlacedObject& a, const PlacedObject& b, double reach,
                                 double detail) {
  ContactPlace place;
  if (reach >= kWideReach * detail) {
    NearByPoints(b, reach, detail, place).search(a);
    NearByPoints(a, reach, detail, place).search(b);
  } else {
    add_near_faces(place, a, b, reach);
  }
  if (area_of(place.regions) > 2 * detail * place.box.diagonal()) return place;
  for (const auto& [p, q, r] : place.regions) {
    std::array<std::pair<const Vec3*, const Vec3*>, 3> sides = {{{&p, &q}, {&q, &r}, {&r, &p}}};
    const auto length = [](const auto& side) { return (*side.second - *side.first).norm(); };
    const auto& [from, to] = *std::ranges::max_element(sides, {}, length);
    place.lines.push_back({*from, *to});
  }
  const ContactPlace met = where_they_meet(a, b);
  for (const auto& [p, q] : met.lines) add_line(place, p, q);
  for (const auto& [p, q, r] : met.regions) add_region(place, {p, q, r});
  return place;
}

ContactPlace where_edges_meet(const PlacedObject& a, const PlacedObject& b) {
  ContactPlace place;
  const auto edge = [](const PlacedObject& of, Index face) {
    const std::span<const Index> corners = of.object.soup().face(face);
    std::array<Vec3, 2> ends;
    for (std::size_t i : {0, 1}) {
      ends[i] = of.pose * of.object.soup().vertex(corners[i]);
      ends[i].z() = 0;
    }
    return ends;
  };
  const FacePairsResult found =
      intersecting_faces(a.object, a.pose, b.object, b.pose, {.max_work = kMostWork});
  for (const FacePair& pair : first_pairs(found)) {
    const std::array<Vec3, 2> edge_a = edge(a, pair.a), edge_b = edge(b, pair.b);
    const Vec3 &p = edge_a[0], &q = edge_a[1], &r = edge_b[0], &s = edge_b[1];
    const Vec3 along = q - p, other = s - r;
    const double turn = along.cross(other).z(), length = along.squaredNorm();
    const auto at = [&](double t) -> Vec3 { return p + std::clamp(t, 0.0, 1.0) * along; };
    if (!(length > 0)) {
      add_line(place, p, p);
    } else if (std::abs(turn) > kInPlane * along.norm() * other.norm()) {
      const Vec3 met = at((r - p).cross(other).z() / turn);
      add_line(place, met, met);
    } else {
      const auto [from, to] =
          std::minmax({(r - p).dot(along) / length, (s - p).dot(along) / length});
      add_line(place, at(from), at(to));
    }
  }
  return place;
}

}  // namespace touche::clash
