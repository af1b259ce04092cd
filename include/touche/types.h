// SPDX-License-Identifier: Apache-2.0
// The small types every other header uses, and the errors the library throws.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace touche {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

/// Number of a vertex, face, corner, half-edge or triangle inside one object.
using Index = std::uint32_t;
inline constexpr Index kNone = std::numeric_limits<Index>::max();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Brackets a number: the true value lies in [lower, upper]. By default, only that it is not
/// negative is known.
struct Bracket {
  double lower = 0, upper = kInfinity;
  friend bool operator==(const Bracket&, const Bracket&) = default;
};

/// A closed ball, lengths in the model's unit.
struct Ball {
  Vec3 centre = Vec3::Zero();
  double radius = 0;
};

/// A closed axis-aligned box; empty when lo > hi on any axis, which is how it starts.
struct Aabb {
  Vec3 lo = Vec3::Constant(kInfinity);
  Vec3 hi = Vec3::Constant(-kInfinity);

  void include(const Vec3& p) {
    lo = lo.cwiseMin(p);
    hi = hi.cwiseMax(p);
  }
  void include(const Aabb& b) {
    lo = lo.cwiseMin(b.lo);
    hi = hi.cwiseMax(b.hi);
  }
  [[nodiscard]] bool empty() const { return (lo.array() > hi.array()).any(); }
  [[nodiscard]] Vec3 centre() const { return 0.5 * (lo + hi); }
  [[nodiscard]] double diagonal() const;  ///< length; 0 when empty
};

/// Base of everything the library throws. The message says what is wrong and where.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An argument that cannot be answered for: NaN, out-of-range index, tolerance that is not
/// positive.
class InvalidInput : public Error {
 public:
  using Error::Error;
};

/// A file that cannot be read or does not mean anything; `what()` is "file:place: reason".
class LoadError : public Error {
 public:
  LoadError(std::string file, std::string place, const std::string& reason)
      : Error(file + (place.empty() ? "" : ":" + place) + ": " + reason),
        file_(std::move(file)),
        place_(std::move(place)) {}
  [[nodiscard]] const std::string& file() const { return file_; }
  /// A line number, byte offset or JSON path; empty when the whole file is meant.
  [[nodiscard]] const std::string& place() const { return place_; }

 private:
  std::string file_, place_;
};

}  // namespace touche
