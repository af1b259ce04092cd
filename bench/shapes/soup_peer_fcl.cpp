// SPDX-License-Identifier: Apache-2.0
// FCL's convex shape against its mesh, in the volumes that are its best for both questions.
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/math/bv/OBBRSS.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>

#include "soup_peer.h"

namespace touche::bench {
namespace {

class FclSoup final : public SoupPeer {
 public:
  FclSoup(const HullData& hull, const HullData& soup, bool libccd)
      : solver_(libccd ? fcl::GST_LIBCCD : fcl::GST_INDEP) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (const auto& c : hull.corners) vertices->emplace_back(c[0], c[1], c[2]);
    auto faces = std::make_shared<std::vector<int>>();
    for (const auto& t : hull.triangles) faces->insert(faces->end(), {3, t[0], t[1], t[2]});
    hull_ =
        std::make_unique<fcl::Convexd>(vertices, static_cast<int>(hull.triangles.size()), faces);
    hull_->computeLocalAABB();
    std::vector<fcl::Vector3d> points;
    for (const auto& c : soup.corners) points.emplace_back(c[0], c[1], c[2]);
    std::vector<fcl::Triangle> triangles;
    for (const auto& t : soup.triangles)
      triangles.emplace_back(static_cast<std::size_t>(t[0]), static_cast<std::size_t>(t[1]),
                             static_cast<std::size_t>(t[2]));
    mesh_.beginModel();
    mesh_.addSubModel(points, triangles);
    mesh_.endModel();
    mesh_.computeLocalAABB();
  }

  std::string name() const override {
    return solver_ == fcl::GST_LIBCCD ? "fcl, libccd" : "fcl, own";
  }

  bool intersects(const PlaceData& place) override {
    fcl::CollisionRequestd request;
    request.gjk_solver_type = solver_;
    fcl::CollisionResultd result;
    return fcl::collide(&mesh_, fcl::Transform3d::Identity(), hull_.get(), pose(place), request,
                        result) > 0;
  }

  double distance(const PlaceData& place) override {
    fcl::DistanceRequestd request(true, false);
    request.gjk_solver_type = solver_;
    fcl::DistanceResultd result;
    return std::max(fcl::distance(&mesh_, fcl::Transform3d::Identity(), hull_.get(), pose(place),
                                  request, result),
                    0.0);
  }

 private:
  static fcl::Transform3d pose(const PlaceData& place) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        t.linear()(i, j) = place.rotation[static_cast<std::size_t>(3 * i + j)];
      t.translation()[i] = place.translation[static_cast<std::size_t>(i)];
    }
    return t;
  }

  fcl::GJKSolverType solver_;
  std::unique_ptr<fcl::Convexd> hull_;
  fcl::BVHModel<fcl::OBBRSSd> mesh_;
};

}  // namespace

std::unique_ptr<SoupPeer> fcl_soup_peer(const HullData& hull, const HullData& soup, bool libccd) {
  return std::make_unique<FclSoup>(hull, soup, libccd);
}

}  // namespace touche::bench
