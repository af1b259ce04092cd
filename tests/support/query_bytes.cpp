// SPDX-License-Identifier: Apache-2.0
#include "query_bytes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bytes.h"
#include "touche/query.h"
#include "touche/reference.h"

namespace touche::test {
namespace {

/// Up to 12 vertices and triangles over any of them, all of it up to 8 times, each copy elsewhere.
Object object(Bytes& bytes, double scale) {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  std::vector<Vec3> points(3 + bytes.below(10));
  for (Vec3& p : points) p = bytes.point();
  std::vector<Index> faces(3 * (1 + bytes.below(12)));
  for (Index& corner : faces) corner = bytes.below(static_cast<Index>(points.size()));
  const Index copies = 1 + bytes.below(8);
  for (Index copy = 0; copy < copies; ++copy) {
    const Vec3 shift = copy == 0 ? Vec3(0, 0, 0) : bytes.point();
    const auto first = static_cast<Index>(coordinates.size() / 3);
    for (const Vec3& p : points)
      for (int k = 0; k < 3; ++k) coordinates.push_back(scale * (p[k] + shift[k]));
    for (const Index corner : faces) corners.push_back(first + corner);
  }
  return Object(PolygonSoup(coordinates, corners), {}, {.threads = 1});
}

Pose pose(Bytes& bytes, double scale) {
  const Vec3 axis = bytes.point(), shift = scale * bytes.point();
  const double angle = bytes.number();
  return axis.isZero() ? Pose::from_translation(shift) : Pose::from_axis_angle(axis, angle, shift);
}

Motion motion(Bytes& bytes, double scale) {
  const Pose start = pose(bytes, scale);
  switch (bytes.below(4)) {
    case 0:
      return Motion::at(start);
    case 1:
      return Motion::interpolated(start, pose(bytes, scale));
    case 2:
      return Motion::interpolated(start, pose(bytes, scale), Interpolation::nlerp);
    default: {
      const Vec3 point = scale * bytes.point(), axis = bytes.point();
      const double angle = bytes.number(), travel = scale * bytes.number();
      return axis.isZero() ? Motion::at(start) : Motion::screw(start, point, axis, angle, travel);
    }
  }
}

std::string compare_static(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                           bool& intersecting) {
  const auto slow = brute_force::intersecting_faces(a, pose_a, b, pose_b).pairs;
  intersecting = !slow.empty();
  if (intersects(a, pose_a, b, pose_b).intersects != intersecting) return "intersects";
  if (intersecting_faces(a, pose_a, b, pose_b).pairs != slow) return "intersecting_faces";
  const auto where = contacts(a, pose_a, b, pose_b);
  const auto same = [](const Contact& c, const FacePair& p) {
    return c.face_a == p.a && c.face_b == p.b;
  };
  if (!where.complete ||
      !std::equal(where.contacts.begin(), where.contacts.end(), slow.begin(), slow.end(), same))
    return "contacts";
  return {};
}

/// Brackets of one number have a point in common.
bool agree(const Bracket& x, const Bracket& y) { return x.lower <= y.upper && y.lower <= x.upper; }

std::string compare_distance(const Object& a, const Pose& pose_a, const Object& b,
                             const Pose& pose_b, bool intersecting, double length) {
  const Bracket slow = brute_force::distance(a, pose_a, b, pose_b).distance;
  const Bracket fast = distance(a, pose_a, b, pose_b).distance;
  if (!agree(slow, fast) || (intersecting && fast.upper != 0)) return "distance";
  const Bracket rough = distance(a, pose_a, b, pose_b, {.relative_error = 0.25}).distance;
  if (!agree(slow, rough)) return "distance with an error";
  const DistanceResult near =
      distance(a, pose_a, b, pose_b, {.max_distance = length, .absolute_error = 0.1 * length});
  if (!agree(slow, near.distance) || (!near.closest && slow.upper < 0.999 * length))
    return "distance up to a length";
  return {};
}

std::string compare_impact(const Object& a, const Motion& motion_a, const Object& b,
                           const Motion& motion_b, const ToiOptions& options, bool& impact) {
  const ToiResult slow = brute_force::time_of_impact(a, motion_a, b, motion_b, options);
  const ToiResult fast = time_of_impact(a, motion_a, b, motion_b, options);
  impact = fast.status == ToiStatus::contact;
  // Where one sees a contact and the other proves that there is none, the objects must be nearer
  // than the clearance and the tolerance: then either may be answered.
  for (const auto& [one, other] : {std::pair(&slow, &fast), std::pair(&fast, &slow)}) {
    const double t = one->time.upper;
    if (!(t < other->time.lower)) continue;
    const double apart =
        brute_force::distance(a, motion_a.pose(t), b, motion_b.pose(t)).distance.lower;
    if (!(apart <= options.clearance + 2 * one->tolerance))
      return "time of impact: no contact there";
  }
  return {};
}

}  // namespace

ByteAnswers ask_queries(std::span<const std::uint8_t> all) {
  Bytes bytes(all);
  constexpr double kScales[] = {1, 1e-3, 1e6, 1e-12, 1e30, 1e-60};
  const double scale = kScales[bytes.below(6)];
  const double tolerance = scale * std::pow(10.0, -1.0 - bytes.below(12));
  const double clearance = bytes.below(3) == 0 ? 0.1 * scale : 0;
  const Object a = object(bytes, scale), b = object(bytes, scale);
  const Motion motion_a = motion(bytes, scale), motion_b = motion(bytes, scale);

  ByteAnswers answers;
  const Pose pose_a = motion_a.pose(0), pose_b = motion_b.pose(0);
  answers.wrong = compare_static(a, pose_a, b, pose_b, answers.intersecting);
  if (answers.wrong.empty())
    answers.wrong = compare_distance(a, pose_a, b, pose_b, answers.intersecting, 2 * scale);
  if (answers.wrong.empty())
    answers.wrong = compare_impact(
        a, motion_a, b, motion_b, {.tolerance = tolerance, .clearance = clearance}, answers.impact);
  return answers;
}

}  // namespace touche::test
