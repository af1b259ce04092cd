// SPDX-License-Identifier: Apache-2.0
// The oracle's own formulas for motions: quaternions throughout, where the library uses
// axis and angle.
#include <cmath>
#include <numbers>
#include <tuple>

#include "oracle.h"

namespace touche::test {
namespace {

constexpr Real kPi = std::numbers::pi_v<Real>;

Turn turn_about(const Point& axis, Real angle) {
  Turn q;
  q.w() = std::cos(angle / 2);
  q.vec() = std::sin(angle / 2) * axis;
  return q;
}

Point unit(const Vec3& v) { return v.cast<Real>().normalized(); }

Leg interpolated_leg(const Pose& start, const Pose& end, Interpolation how) {
  const Place p = place_of(start), q = place_of(end);
  Turn last = q.turn;
  if (p.turn.dot(last) < 0) last.coeffs() = -last.coeffs();
  // The angle between the quaternions, accurate when it is small: half of what the body turns.
  const Real half = 2 * std::atan2((p.turn.coeffs() - last.coeffs()).norm(),
                                   (p.turn.coeffs() + last.coeffs()).norm());
  Leg leg;
  leg.place = [=](Real u) {
    Real w0 = 1 - u, w1 = u;
    if (how == Interpolation::slerp && half > 0) {
      w0 = std::sin((1 - u) * half) / std::sin(half);
      w1 = std::sin(u * half) / std::sin(half);
    }
    Place at;
    at.turn.coeffs() = w0 * p.turn.coeffs() + w1 * last.coeffs();
    at.turn.normalize();
    at.move = (1 - u) * p.move + u * q.move;
    return at;
  };
  leg.speed = (q.move - p.move).norm();
  // The chord between the quaternions passes the origin at distance cos(half / 2), there fastest.
  leg.spin = how == Interpolation::slerp ? 2 * half : 4 * std::tan(half / 2);
  return leg;
}

std::vector<double> equal_times(std::size_t parts) {
  std::vector<double> times;
  for (std::size_t i = 0; i <= parts; ++i)
    times.push_back(static_cast<double>(i) / static_cast<double>(parts));
  return times;
}

}  // namespace

Place place_of(const Pose& pose) {
  return {pose.rotation().cast<Real>().normalized(), pose.translation().cast<Real>()};
}

Place Leg::at(Real t) const {
  if (t >= end) return place(u1);
  return place(u0 + (t - begin) * rate());
}

Place Ride::at(Real t) const {
  for (const Leg& leg : legs)
    if (t < leg.end) return leg.at(t);
  return legs.back().at(1);
}

Ride still(const Pose& pose) {
  Leg leg;
  leg.place = [place = place_of(pose)](Real) { return place; };
  return {Motion::at(pose), {leg}};
}

Ride interpolated(const Pose& start, const Pose& end, Interpolation how) {
  return {Motion::interpolated(start, end, how), {interpolated_leg(start, end, how)}};
}

Ride screw(const Pose& start, const Vec3& point, const Vec3& axis, double angle, double travel) {
  const Place from = place_of(start);
  const Point direction = unit(axis), on_axis = point.cast<Real>();
  Leg leg;
  leg.place = [=](Real u) {
    const Turn turn = turn_about(direction, angle * u);
    return Place{turn * from.turn,
                 on_axis + turn * (from.move - on_axis) + (travel * u) * direction};
  };
  leg.centre = from.turn.conjugate() * (on_axis - from.move);
  // Any point of the axis would do; the nearest to the body's origin keeps the bound small.
  leg.centre -=
      (from.turn.conjugate() * direction).dot(leg.centre) * (from.turn.conjugate() * direction);
  leg.speed = std::abs(Real{travel});
  leg.spin = std::abs(Real{angle});
  return {Motion::screw(start, point, axis, angle, travel), {leg}};
}

Ride rocking(const Pose& start, const Vec3& reference, const Vec3& swing, const Vec3& axis,
             double angle, double waves) {
  const Place from = place_of(start);
  const Point direction = unit(axis), centre = reference.cast<Real>();
  Leg leg;
  leg.place = [=](Real u) {
    const Real wave = std::sin(2 * kPi * waves * u);
    Place at;
    at.turn = turn_about(direction, angle * wave) * from.turn;
    at.move = from * centre + wave * swing.cast<Real>() - at.turn * centre;
    return at;
  };
  leg.centre = centre;
  leg.speed = 2 * kPi * waves * swing.cast<Real>().norm();
  leg.spin = 2 * kPi * waves * std::abs(Real{angle});
  // Computed here in extended precision, rounded once: a user's function that is as good as any.
  const auto pose = [place = leg.place](double u) {
    const Place at = place(u);
    return Pose::from_quaternion_unchecked(at.turn.cast<double>(), at.move.cast<double>());
  };
  const double up = 1 + 1e-12;
  return {Motion::function(pose, up * static_cast<double>(leg.speed),
                           up * static_cast<double>(leg.spin), reference),
          {leg}};
}

Ride through(std::span<const Pose> poses, std::span<const double> times, Interpolation how) {
  Ride ride{Motion::through(poses, times, how), {}};
  const std::vector<double> t =
      times.empty() ? equal_times(poses.size() - 1) : std::vector(times.begin(), times.end());
  for (std::size_t i = 0; i + 1 < poses.size(); ++i) {
    ride.legs.push_back(interpolated_leg(poses[i], poses[i + 1], how));
    ride.legs.back().begin = t[i];
    ride.legs.back().end = t[i + 1];
  }
  return ride;
}

Ride chain(std::span<const Ride> rides, std::span<const double> times) {
  std::vector<Motion> motions;
  for (const Ride& ride : rides) motions.push_back(ride.motion);
  const std::vector<double> t =
      times.empty() ? equal_times(rides.size()) : std::vector(times.begin(), times.end());
  Ride all{Motion::chain(motions, times), {}};
  for (std::size_t i = 0; i < rides.size(); ++i)
    for (Leg leg : rides[i].legs) {
      const Real length = Real{t[i + 1]} - Real{t[i]};
      leg.begin = t[i] + leg.begin * length;
      leg.end = t[i] + leg.end * length;
      all.legs.push_back(std::move(leg));
    }
  all.legs.back().end = 1;
  return all;
}

Ride part(const Ride& ride, double t0, double t1) {
  Ride cut{ride.motion.part(t0, t1), {}};
  for (Leg leg : ride.legs) {
    const Real begin = std::max(Real{t0}, leg.begin), end = std::min(Real{t1}, leg.end);
    if (!(begin < end)) continue;
    const Real u0 = leg.u0 + (begin - leg.begin) * leg.rate();
    leg.u1 = leg.u0 + (end - leg.begin) * leg.rate();
    leg.u0 = u0;
    leg.begin = (begin - t0) / (Real{t1} - t0);
    leg.end = (end - t0) / (Real{t1} - t0);
    cut.legs.push_back(std::move(leg));
  }
  cut.legs.back().end = 1;
  return cut;
}

Ride reversed(const Ride& ride) {
  Ride back{ride.motion.reversed(), {ride.legs.rbegin(), ride.legs.rend()}};
  for (Leg& leg : back.legs) {
    leg.place = [there = leg.place](Real u) { return there(1 - u); };
    std::tie(leg.begin, leg.end) = std::pair(1 - leg.end, 1 - leg.begin);
    std::tie(leg.u0, leg.u1) = std::pair(1 - leg.u1, 1 - leg.u0);
  }
  return back;
}

}  // namespace touche::test
