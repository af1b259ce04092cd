// SPDX-License-Identifier: Apache-2.0
// FCL's convex shapes, by libccd (its default) or by its own solver.
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>
#include <cmath>

#include "driver.h"

namespace touche::bench {
namespace {

class Fcl final : public ShapeDriver {
 public:
  Fcl(const std::vector<HullData>& hulls, bool libccd)
      : solver_(libccd ? fcl::GST_LIBCCD : fcl::GST_INDEP) {
    for (const HullData& h : hulls) {
      auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
      for (const auto& c : h.corners) vertices->emplace_back(c[0], c[1], c[2]);
      auto faces = std::make_shared<std::vector<int>>();
      for (const auto& t : h.triangles) faces->insert(faces->end(), {3, t[0], t[1], t[2]});
      shapes_.push_back(
          std::make_unique<fcl::Convexd>(vertices, static_cast<int>(h.triangles.size()), faces));
      shapes_.back()->computeLocalAABB();
    }
  }
  std::string name() const override {
    return solver_ == fcl::GST_LIBCCD ? "fcl, libccd" : "fcl, own";
  }
  bool intersects(const ShapeCase& c) override {
    fcl::CollisionRequestd request;
    request.gjk_solver_type = solver_;
    fcl::CollisionResultd result;
    return fcl::collide(a(c), fcl::Transform3d::Identity(), b(c), pose(c), request, result) > 0;
  }
  double distance(const ShapeCase& c) override {
    fcl::DistanceRequestd request(true, false);
    request.gjk_solver_type = solver_;
    fcl::DistanceResultd result;
    return std::max(
        fcl::distance(a(c), fcl::Transform3d::Identity(), b(c), pose(c), request, result), 0.0);
  }
  double depth(const ShapeCase& c) override {
    fcl::CollisionRequestd request(1, true);
    request.gjk_solver_type = solver_;
    fcl::CollisionResultd result;
    if (fcl::collide(a(c), fcl::Transform3d::Identity(), b(c), pose(c), request, result) == 0)
      return 0;
    return std::abs(result.getContact(0).penetration_depth);  // its own solver returns it negated
  }

 private:
  const fcl::Convexd* a(const ShapeCase& c) const {
    return shapes_[static_cast<std::size_t>(c.a)].get();
  }
  const fcl::Convexd* b(const ShapeCase& c) const {
    return shapes_[static_cast<std::size_t>(c.b)].get();
  }
  static fcl::Transform3d pose(const ShapeCase& c) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        t.linear()(i, j) = c.place.rotation[static_cast<std::size_t>(3 * i + j)];
      t.translation()[i] = c.place.translation[static_cast<std::size_t>(i)];
    }
    return t;
  }
  fcl::GJKSolverType solver_;
  std::vector<std::unique_ptr<fcl::Convexd>> shapes_;
};

}  // namespace

std::unique_ptr<ShapeDriver> fcl_driver(const std::vector<HullData>& hulls, bool libccd) {
  return std::make_unique<Fcl>(hulls, libccd);
}

}  // namespace touche::bench
