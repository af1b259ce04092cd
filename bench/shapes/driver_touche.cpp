// SPDX-License-Identifier: Apache-2.0
#include "driver.h"
#include "touche/shape.h"

namespace touche::bench {
namespace {

class Touche final : public ShapeDriver {
 public:
  explicit Touche(const std::vector<HullData>& hulls) {
    for (const HullData& h : hulls) {
      std::vector<Vec3> points;
      for (const auto& c : h.corners) points.emplace_back(c[0], c[1], c[2]);
      shapes_.push_back(Shape::hull(points));
    }
  }
  std::string name() const override { return "touche"; }
  bool intersects(const ShapeCase& c) override {
    return touche::intersects(a(c), {}, b(c), pose(c)).intersects;
  }
  double distance(const ShapeCase& c) override {
    return touche::distance(a(c), {}, b(c), pose(c)).distance.upper;
  }
  double depth(const ShapeCase& c) override {
    return touche::depth(a(c), {}, b(c), pose(c)).depth.upper;
  }

 private:
  const Shape& a(const ShapeCase& c) const { return shapes_[static_cast<std::size_t>(c.a)]; }
  const Shape& b(const ShapeCase& c) const { return shapes_[static_cast<std::size_t>(c.b)]; }
  static Pose pose(const ShapeCase& c) {
    const auto& [q, t] = std::pair(c.place.quaternion, c.place.translation);
    return Pose::from_quaternion_unchecked(q[0], q[1], q[2], q[3], {t[0], t[1], t[2]});
  }
  std::vector<Shape> shapes_;
};

}  // namespace

std::unique_ptr<ShapeDriver> touche_driver(const std::vector<HullData>& hulls) {
  return std::make_unique<Touche>(hulls);
}

}  // namespace touche::bench
