// SPDX-License-Identifier: Apache-2.0
// Bullet's pair detector with its expanding polytope; single precision, as Debian builds it.
// Margins are taken away, for hulls would grow by them.
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <algorithm>

#include "driver.h"

namespace touche::bench {
namespace {

btScalar scalar(double x) { return static_cast<btScalar>(x); }

class Bullet final : public ShapeDriver {
 public:
  explicit Bullet(const std::vector<HullData>& hulls) {
    for (const HullData& h : hulls) {
      shapes_.push_back(std::make_unique<btConvexHullShape>());
      for (const auto& c : h.corners)
        shapes_.back()->addPoint({scalar(c[0]), scalar(c[1]), scalar(c[2])}, false);
      shapes_.back()->recalcLocalAabb();
      shapes_.back()->setMargin(0);
    }
  }
  std::string name() const override { return "bullet, float"; }
  bool intersects(const ShapeCase& c) override { return ask(c) <= 0; }
  double distance(const ShapeCase& c) override { return std::max(ask(c), 0.0); }
  double depth(const ShapeCase& c) override { return std::max(-ask(c), 0.0); }

 private:
  double ask(const ShapeCase& c) {
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    btGjkPairDetector detector(shapes_[static_cast<std::size_t>(c.a)].get(),
                               shapes_[static_cast<std::size_t>(c.b)].get(), &simplex, &depth);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA.setIdentity();
    const auto& r = c.place.rotation;
    const auto& t = c.place.translation;
    input.m_transformB.setBasis({scalar(r[0]), scalar(r[1]), scalar(r[2]), scalar(r[3]),
                                 scalar(r[4]), scalar(r[5]), scalar(r[6]), scalar(r[7]),
                                 scalar(r[8])});
    input.m_transformB.setOrigin({scalar(t[0]), scalar(t[1]), scalar(t[2])});
    btPointCollector found;
    detector.getClosestPoints(input, found, nullptr);
    return found.m_hasResult ? static_cast<double>(found.m_distance) : 1e30;
  }
  std::vector<std::unique_ptr<btConvexHullShape>> shapes_;
};

}  // namespace

std::unique_ptr<ShapeDriver> bullet_driver(const std::vector<HullData>& hulls) {
  return std::make_unique<Bullet>(hulls);
}

}  // namespace touche::bench
