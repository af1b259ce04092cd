// SPDX-License-Identifier: Apache-2.0
// FCL with OBBRSS hierarchies, the ones it recommends for meshes.
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/motion/interp_motion.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/continuous_collision.h>
#include <fcl/narrowphase/distance.h>

#include "peer.h"

namespace touche::bench {
namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;

std::unique_ptr<Model> model(const PolygonSoup& soup) {
  const std::vector<fcl::Vector3d> vertices(soup.vertices().begin(), soup.vertices().end());
  std::vector<fcl::Triangle> triangles;
  triangles.reserve(soup.triangle_count());
  for (const auto& t : soup.triangles()) triangles.emplace_back(t[0], t[1], t[2]);
  auto result = std::make_unique<Model>();
  result->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
  result->addSubModel(vertices, triangles);
  result->endModel();
  return result;
}

fcl::Transform3d transform(const Pose& pose) {
  fcl::Transform3d result = fcl::Transform3d::Identity();
  result.linear() = pose.matrix();
  result.translation() = pose.translation();
  return result;
}

// FCL's own constructor from two poses leaves the point that moves on a straight line undefined.
fcl::InterpMotion<double> motion(const Pose& start, const Pose& end) {
  return {start.matrix(), start.translation(), end.matrix(), end.translation(), Vec3::Zero()};
}

class Fcl : public Rival {
 public:
  Fcl(const PolygonSoup& a, const PolygonSoup& b) : a_(model(a)), b_(model(b)) {}

  bool intersects(const PosePair& p) override {
    fcl::CollisionResultd result;
    return fcl::collide(a_.get(), transform(p.a), b_.get(), transform(p.b),
                        fcl::CollisionRequestd(1), result) > 0;
  }

  std::size_t all_pairs(const PosePair& p, std::vector<FacePair>* pairs) override {
    fcl::CollisionResultd result;
    fcl::collide(a_.get(), transform(p.a), b_.get(), transform(p.b),
                 fcl::CollisionRequestd(static_cast<std::size_t>(-1)), result);
    if (pairs)
      for (std::size_t i = 0; i < result.numContacts(); ++i)
        pairs->push_back({static_cast<Index>(result.getContact(i).b1),
                          static_cast<Index>(result.getContact(i).b2)});
    return result.numContacts();
  }

  double distance(const PosePair& p) override {
    fcl::DistanceResultd result;
    fcl::distance(a_.get(), transform(p.a), b_.get(), transform(p.b), fcl::DistanceRequestd(true),
                  result);
    return std::max(0.0, result.min_distance);
  }

  // Collision tests at single poses, until one hits.
  Impact continuous(const Sweep& sweep, double) override {
    return ask(sweep, fcl::ContinuousCollisionRequestd(static_cast<std::size_t>(sweep.samples),
                                                       1e-6, fcl::CCDM_LINEAR, fcl::GST_LIBCCD,
                                                       fcl::CCDC_NAIVE));
  }

  std::optional<std::size_t> hierarchy_bytes() const override { return bytes(*a_) + bytes(*b_); }

 protected:
  Impact ask(const Sweep& sweep, const fcl::ContinuousCollisionRequestd& request) const {
    const auto motion_a = motion(sweep.start.a, sweep.end.a);
    const auto motion_b = motion(sweep.start.b, sweep.end.b);
    fcl::ContinuousCollisionResultd result;
    fcl::continuousCollide(a_.get(), &motion_a, b_.get(), &motion_b, request, result);
    return {result.is_collide, 0, result.time_of_contact};
  }

 private:
  // Nodes, and the order of the triangles, which the model keeps beside them.
  static std::size_t bytes(const Model& model) {
    return static_cast<std::size_t>(model.getNumBVs()) * sizeof(fcl::BVNode<fcl::OBBRSSd>) +
           static_cast<std::size_t>(model.num_tris) * sizeof(unsigned int);
  }

  std::unique_ptr<Model> a_, b_;
};

class FclAdvancement final : public Fcl {
 public:
  using Fcl::Fcl;
  Impact continuous(const Sweep& sweep, double) override {
    return ask(sweep,
               fcl::ContinuousCollisionRequestd(4001, 1e-6, fcl::CCDM_LINEAR, fcl::GST_LIBCCD,
                                                fcl::CCDC_CONSERVATIVE_ADVANCEMENT));
  }
};

template <class R>
std::unique_ptr<Rival> load(const PolygonSoup& a, const PolygonSoup& b) {
  return std::make_unique<R>(a, b);
}

}  // namespace

Peer fcl_peer() {
  return {"FCL",
          {Question::intersects, Question::all_pairs, Question::distance, Question::continuous},
          load<Fcl>};
}

Peer fcl_advancement_peer() {
  return {"FCL advancement", {Question::continuous}, load<FclAdvancement>};
}

}  // namespace touche::bench
