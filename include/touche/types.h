// SPDX-License-Identifier: Apache-2.0
// Small types that every other header uses, and the exceptions that the library throws.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace touche {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

/// Number of a vertex, face, corner, half-edge or triangle of one object, from 0. kNone: no such
/// number.
using Index = std::uint32_t;
inline constexpr Index kNone = std::numeric_limits<Index>::max();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Bounds of a number: the true value lies in [lower, upper]. The default says only that it is not
/// negative.
struct Bracket {
  double lower = 0, upper = kInfinity;
  friend bool operator==(const Bracket&, const Bracket&) = default;
};

/// A closed ball. Lengths are in the model's unit.
struct Ball {
  Vec3 centre = Vec3::Zero();
  double radius = 0;
};

/// A closed axis-aligned box. It is empty when lo > hi on any axis; a default box is empty.
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
  [[nodiscard]] double diagonal() const;  ///< length of the diagonal; 0 when empty
};

/// Base of all exceptions that the library throws. The message says what is wrong and where.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown for an invalid argument, such as NaN, an index out of range or a tolerance that is not
/// positive.
class InvalidInput : public Error {
 public:
  using Error::Error;
};

/// Thrown for a file that cannot be read or has invalid content. `what()` is `file:place: reason`.
class LoadError : public Error {
 public:
  LoadError(std::string file, std::string place, const std::string& reason)
      : Error(file + (place.empty() ? "" : ":" + place) + ": " + reason),
        file_(std::move(file)),
        place_(std::move(place)) {}
  [[nodiscard]] const std::string& file() const { return file_; }
  /// A line number, byte offset or JSON path; empty when the error concerns the whole file.
  [[nodiscard]] const std::string& place() const { return place_; }

 private:
  std::string file_, place_;
};

}  // namespace touche
