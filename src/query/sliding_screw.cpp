// SPDX-License-Identifier: Apache-2.0
#include "query/sliding_screw.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace touche::query {
namespace {

constexpr std::size_t kMostSamples = 2048;

// A triangle fits if the sine of the angle between the velocity and its plane is at most kFits. The
// weights narrow from kWeighsAtFirst, at which triangles that are off by far more still count, to
// kWeighs, at which only well-fitting ones do: a thread is only slightly steeper than a cone across
// its axis.
constexpr double kFits = 0.02, kWeighsAtFirst = 0.3, kWeighs = 0.01, kNarrower = 0.75;
constexpr int kRounds = 14;

// Triangles in one plane that together have this share of the surface are ignored: a plane slides
// along too many screws, and faces across the axis of a thread are off by only a little.
constexpr double kLargePlane = 1.0 / 32, kSamePlane = 1e-3;

// The minimum share of the surface that must fit.
constexpr double kLeastSliding = 0.35;

struct Sample {
  Vec3 corner[3], normal;
  double area;

  Vec3 centre() const { return (corner[0] + corner[1] + corner[2]) / 3; }
};

struct Velocity {
  Vec3 turning = Vec3::Zero(), origin = Vec3::Zero();

  Vec3 at(const Vec3& point) const { return origin + turning.cross(point); }

  // The point where a facet's normal equals the normal of the true surface: the middle of its
  // extent in the direction of the velocity, not its centroid, which is nearer to the side with two
  // corners.
  Vec3 point_of(const Sample& s) const {
    const Vec3 centre = s.centre(), along = at(centre).normalized();
    double lo = kInfinity, hi = -kInfinity;
    for (const Vec3& corner : s.corner) {
      lo = std::min(lo, along.dot(corner - centre));
      hi = std::max(hi, along.dot(corner - centre));
    }
    return centre + 0.5 * (lo + hi) * along;
  }
  // The sine of the angle between the velocity and the surface.
  double off(const Sample& s, const Vec3& point) const {
    const Vec3 v = at(point);
    const double speed = v.norm();
    return speed > 0 ? s.normal.dot(v) / speed : 0;
  }
};

std::vector<Sample> samples_of(const PolygonSoup& soup) {
  const std::size_t all = soup.triangle_count(), count = std::min(all, kMostSamples);
  std::vector<Sample> samples;
  samples.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const auto& [i, j, l] = soup.triangle(static_cast<Index>(k * all / count));
    const Vec3 &x = soup.vertex(i), &y = soup.vertex(j), &z = soup.vertex(l);
    const Vec3 normal = (y - x).cross(z - x);
    const double area = normal.norm();
    if (area > 0 && std::isfinite(area)) samples.push_back({{x, y, z}, normal / area, area});
  }
  return samples;
}

// Returns the best velocity, with triangles weighted by how well they fit the last one.
Velocity improved(const std::vector<Sample>& samples, const Velocity& last, double weighs) {
  Mat3 turning = Mat3::Zero(), mixed = Mat3::Zero(), origin = Mat3::Zero();
  double total = 0;
  for (const Sample& s : samples) {
    const Vec3 point = last.point_of(s);
    const double off = last.off(s, point) / weighs, share = 1 / (1 + off * off);
    const double weight = s.area * share * share;
    const Vec3 moment = point.cross(s.normal);
    turning += weight * moment * moment.transpose();
    mixed += weight * moment * s.normal.transpose();
    origin += weight * s.normal * s.normal.transpose();
    total += weight;
  }
  // The best velocity of the origin is linear in the angular velocity; where it is undetermined,
  // this regularisation keeps it small.
  origin += 1e-6 * total * Mat3::Identity();
  const Mat3 of_turning = -origin.inverse() * mixed.transpose();
  const Mat3 rest = turning + mixed * of_turning;
  Eigen::SelfAdjointEigenSolver<Mat3> solver;
  solver.computeDirect(0.5 * (rest + rest.transpose()));
  Velocity best;
  best.turning = solver.eigenvectors().col(0);
  best.origin = of_turning * best.turning;
  return best;
}

// Removes large planes. Coordinates are at most a few units.
void leave_out_planes(std::vector<Sample>& samples) {
  using Plane = std::array<std::int64_t, 4>;
  const auto plane_of = [](const Sample& s) {
    const double units[4] = {s.normal.x(), s.normal.y(), s.normal.z(), s.normal.dot(s.corner[0])};
    Plane plane;
    std::transform(units, units + 4, plane.begin(),
                   [](double x) { return std::llround(x / kSamePlane); });
    return plane;
  };
  std::vector<std::pair<Plane, std::size_t>> order;
  double total = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    order.emplace_back(plane_of(samples[i]), i);
    total += samples[i].area;
  }
  std::sort(order.begin(), order.end());
  std::vector<Sample> others;
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    double area = 0;
    for (; last < order.size() && order[last].first == order[first].first; ++last)
      area += samples[order[last].second].area;
    if (area > kLargePlane * total) continue;
    for (std::size_t i = first; i < last; ++i) others.push_back(samples[order[i].second]);
  }
  samples = std::move(others);
}

double share_that_fits(const std::vector<Sample>& samples, const Velocity& velocity) {
  double fits = 0, total = 0;
  for (const Sample& s : samples) {
    total += s.area;
    if (std::abs(velocity.off(s, velocity.point_of(s))) <= kFits) fits += s.area;
  }
  return fits / total;
}

}  // namespace

std::optional<SlidingScrew> sliding_screw(const PolygonSoup& soup) {
  std::vector<Sample> samples = samples_of(soup);
  Vec3 middle = Vec3::Zero();
  double area = 0;
  for (const Sample& s : samples) {
    middle += s.area * s.centre();
    area += s.area;
  }
  if (!(area > 0)) return {};
  middle /= area;
  Mat3 spread = Mat3::Zero();
  for (const Sample& s : samples)
    spread += s.area / area * (s.centre() - middle) * (s.centre() - middle).transpose();
  const double size = std::sqrt(spread.trace());
  if (!(size > 0) || !std::isfinite(size)) return {};
  for (Sample& s : samples)
    for (Vec3& corner : s.corner) corner = (corner - middle) / size;
  leave_out_planes(samples);

  // Start from rotations about the principal axes.
  Eigen::SelfAdjointEigenSolver<Mat3> principal;
  principal.computeDirect(spread / (size * size));
  Velocity best;
  double best_share = 0;
  for (int i = 0; i < 3; ++i) {
    Velocity velocity{principal.eigenvectors().col(i), Vec3::Zero()};
    double weighs = kWeighsAtFirst;
    for (int round = 0; round < kRounds; ++round) {
      velocity = improved(samples, velocity, weighs);
      weighs = std::max(kWeighs, kNarrower * weighs);
    }
    const double share = share_that_fits(samples, velocity);
    if (!(share > best_share)) continue;
    best = velocity;
    best_share = share;
  }
  if (!(best_share > kLeastSliding)) return {};
  SlidingScrew screw;
  screw.axis = best.turning.normalized();
  screw.point = middle + size * screw.axis.cross(best.origin);
  screw.advance = size * screw.axis.dot(best.origin);
  if (!screw.point.allFinite() || !std::isfinite(screw.advance)) return {};
  return screw;
}

}  // namespace touche::query
