// SPDX-License-Identifier: Apache-2.0
// One library that is queried for pairs of convex hulls. Each library has its own file, which
// includes no other library's headers.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace touche::bench {

struct HullData {
  std::vector<std::array<double, 3>> corners;
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise from outside
};

struct PlaceData {
  std::array<double, 9> rotation;    // row by row
  std::array<double, 4> quaternion;  // w x y z
  std::array<double, 3> translation;
};

/// Where the second of two hulls is, seen from the first, which is at the origin.
struct ShapeCase {
  int a = 0, b = 0;  // numbers of hulls
  PlaceData place;
};

class ShapeDriver {
 public:
  virtual ~ShapeDriver() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  virtual bool intersects(const ShapeCase& c) = 0;
  virtual double distance(const ShapeCase& c) = 0;  ///< 0 where they meet
  virtual double depth(const ShapeCase& c) = 0;     ///< 0 where they are apart
};

std::unique_ptr<ShapeDriver> touche_driver(const std::vector<HullData>& hulls);
std::unique_ptr<ShapeDriver> fcl_driver(const std::vector<HullData>& hulls, bool libccd);
std::unique_ptr<ShapeDriver> bullet_driver(const std::vector<HullData>& hulls);

}  // namespace touche::bench
