// SPDX-License-Identifier: Apache-2.0
// Bullet's GImpact meshes, its only ones that can be tested against each other. It has no first
// hit: it makes contacts of all pairs. Debian's libraries are single precision.
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>

#include "peer.h"

namespace touche::bench {
namespace {

btVector3 vector(const Vec3& v) {
  return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
}

class Mesh {
 public:
  explicit Mesh(const PolygonSoup& soup) {
    for (const Vec3& v : soup.vertices()) vertices_.push_back(vector(v));
    for (const auto& t : soup.triangles())
      for (const Index v : t) indices_.push_back(static_cast<int>(v));
    arrays_ = std::make_unique<btTriangleIndexVertexArray>(
        static_cast<int>(indices_.size() / 3), indices_.data(), static_cast<int>(3 * sizeof(int)),
        static_cast<int>(vertices_.size()), vertices_.data()->m_floats,
        static_cast<int>(sizeof(btVector3)));
    shape_ = std::make_unique<btGImpactMeshShape>(arrays_.get());
    shape_->setMargin(0);
    shape_->updateBound();
    object_.setCollisionShape(shape_.get());
  }
  btCollisionObject* at(const Pose& pose) {
    const Eigen::Quaterniond q = pose.rotation();
    const auto f = [](double x) { return static_cast<btScalar>(x); };
    object_.setWorldTransform(btTransform(btQuaternion(f(q.x()), f(q.y()), f(q.z()), f(q.w())),
                                          vector(pose.translation())));
    return &object_;
  }

 private:
  std::vector<btVector3> vertices_;  // Bullet refers to the caller's arrays
  std::vector<int> indices_;
  std::unique_ptr<btTriangleIndexVertexArray> arrays_;
  std::unique_ptr<btGImpactMeshShape> shape_;
  btCollisionObject object_;
};

/// Collects the faces of the contacts instead of keeping the four best, as physics would.
class Collector final : public btManifoldResult {
 public:
  Collector(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b)
      : btManifoldResult(a, b) {}
  void setShapeIdentifiersA(int, int index) override { face_a_ = index; }
  void setShapeIdentifiersB(int, int index) override { face_b_ = index; }
  void addContactPoint(const btVector3&, const btVector3&, btScalar) override {
    const FacePair pair{static_cast<Index>(face_a_), static_cast<Index>(face_b_)};
    if (pairs.empty() || pairs.back() != pair) pairs.push_back(pair);
  }
  std::vector<FacePair> pairs;

 private:
  int face_a_ = 0, face_b_ = 0;
};

class Bullet final : public Rival {
 public:
  Bullet(const PolygonSoup& a, const PolygonSoup& b) : dispatcher_(&configuration_), a_(a), b_(b) {
    btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_);
  }

  bool intersects(const PosePair& p) override { return all_pairs(p, nullptr) > 0; }

  std::size_t all_pairs(const PosePair& p, std::vector<FacePair>* pairs) override {
    const btCollisionObject* a = a_.at(p.a);
    const btCollisionObject* b = b_.at(p.b);
    const btCollisionObjectWrapper wrap_a(nullptr, a->getCollisionShape(), a,
                                          a->getWorldTransform(), -1, -1);
    const btCollisionObjectWrapper wrap_b(nullptr, b->getCollisionShape(), b,
                                          b->getWorldTransform(), -1, -1);
    Collector collector(&wrap_a, &wrap_b);
    btCollisionAlgorithm* algorithm =
        dispatcher_.findAlgorithm(&wrap_a, &wrap_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    algorithm->processCollision(&wrap_a, &wrap_b, info_, &collector);
    algorithm->~btCollisionAlgorithm();
    dispatcher_.freeCollisionAlgorithm(algorithm);
    if (pairs) *pairs = collector.pairs;
    return collector.pairs.size();
  }

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDispatcherInfo info_;
  Mesh a_, b_;
};

}  // namespace

Peer bullet_peer() {
  return {"Bullet",
          {Question::intersects, Question::all_pairs},
          [](const PolygonSoup& a, const PolygonSoup& b) -> std::unique_ptr<Rival> {
            return std::make_unique<Bullet>(a, b);
          }};
}

}  // namespace touche::bench
