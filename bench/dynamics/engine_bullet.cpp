// SPDX-License-Identifier: Apache-2.0
// Bullet as its manual sets it up: sequential impulses, 10 iterations. By default hulls are
// enlarged by a margin of 0.04 m all around, which keeps the true shapes apart; without it, they
// are the given shapes. Debian's libraries are single precision.
#include <btBulletDynamicsCommon.h>

#include "engine.h"

namespace touche::bench {
namespace {

btScalar real(double x) { return static_cast<btScalar>(x); }
btVector3 vector(const Vec3& v) { return {real(v.x()), real(v.y()), real(v.z())}; }
Vec3 vector(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

struct Setting {
  bool ccd = false, margin = true;
};

class Bullet final : public Engine {
 public:
  Bullet(const Task& task, const Setting& setting)
      : time_step_(real(task.scene.time_step)),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    world_.setGravity(vector(task.scene.gravity));
    for (const scenes::DynamicMesh& mesh : task.scene.meshes)
      shapes_.push_back(shape_of(mesh, setting));
    for (const scenes::DynamicBody& body : task.scene.bodies) add(task, body, setting.ccd);
    for (const scenes::DynamicHinge& hinge : task.scene.hinges) add(hinge);
  }
  ~Bullet() override {
    for (const auto& joint : joints_) world_.removeConstraint(joint.get());
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void step() override { world_.stepSimulation(time_step_, 0); }

  std::vector<State> states() const override {
    std::vector<State> states;
    for (const auto& body : bodies_) {
      const btTransform& at = body->getWorldTransform();
      const btQuaternion q = at.getRotation();
      states.push_back({Pose::from_quaternion(q.w(), q.x(), q.y(), q.z(), vector(at.getOrigin())),
                        vector(body->getLinearVelocity()), vector(body->getAngularVelocity())});
    }
    return states;
  }

 private:
  // Boxes are boxes to Bullet, everything else is a hull.
  static std::unique_ptr<btConvexShape> shape_of(const scenes::DynamicMesh& mesh,
                                                 const Setting& setting) {
    if (const std::optional<Vec3> half = box_half(mesh.soup))
      return std::make_unique<btBoxShape>(vector(*half));
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Vec3& v : mesh.soup.vertices()) hull->addPoint(vector(v), false);
    if (!setting.margin) hull->setMargin(0);
    hull->recalcLocalAabb();
    return hull;
  }

  void add(const Task& task, const scenes::DynamicBody& body, bool ccd) {
    btCollisionShape* shape = shapes_[body.mesh].get();
    const MassProperties& mass = task.mass[body.mesh];
    const Vec3 inertia = mass.inertia.diagonal();
    btRigidBody::btRigidBodyConstructionInfo info(
        body.fixed ? 0 : real(mass.mass), nullptr, shape,
        body.fixed ? btVector3(0, 0, 0) : vector(inertia));
    const Eigen::Quaterniond q = body.pose.rotation();
    info.m_startWorldTransform =
        btTransform(btQuaternion(real(q.x()), real(q.y()), real(q.z()), real(q.w())),
                    vector(body.pose.translation()));
    info.m_friction = real(body.friction);
    info.m_restitution = real(body.restitution);
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& made = *bodies_.back();
    made.setActivationState(DISABLE_DEACTIVATION);
    made.setLinearVelocity(vector(body.velocity));
    made.setAngularVelocity(vector(body.angular_velocity));
    if (ccd && !body.fixed) {
      const Aabb& bounds = task.scene.meshes[body.mesh].soup.bounds();
      const double radius = 0.5 * (bounds.hi - bounds.lo).minCoeff();
      made.setCcdMotionThreshold(real(radius));
      made.setCcdSweptSphereRadius(real(0.8 * radius));
    }
    world_.addRigidBody(&made);
  }

  // The two that are joined do not collide. Origins of bodies are their centres of mass.
  void add(const scenes::DynamicHinge& hinge) {
    btRigidBody& body = *bodies_[hinge.body];
    const auto point = [&](const btRigidBody& in) {
      return in.getWorldTransform().inverse() * vector(hinge.point);
    };
    const auto axis = [&](const btRigidBody& in) {
      return in.getWorldTransform().getBasis().transpose() * vector(hinge.axis);
    };
    if (hinge.to) {
      btRigidBody& other = *bodies_[*hinge.to];
      joints_.push_back(std::make_unique<btHingeConstraint>(other, body, point(other), point(body),
                                                            axis(other), axis(body)));
    } else {
      joints_.push_back(std::make_unique<btHingeConstraint>(body, point(body), axis(body)));
    }
    world_.addConstraint(joints_.back().get(), true);
  }

  const btScalar time_step_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btConvexShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btHingeConstraint>> joints_;
};

}  // namespace

EngineEntry bullet_engine() {
  return {"Bullet", [](const Task& task) { return std::make_unique<Bullet>(task, Setting{}); }};
}

EngineEntry bullet_exact_engine() {
  return {"Bullet, no margin", [](const Task& task) {
            return std::make_unique<Bullet>(task, Setting{.margin = false});
          }};
}

EngineEntry bullet_ccd_engine() {
  return {"Bullet, CCD",
          [](const Task& task) { return std::make_unique<Bullet>(task, Setting{.ccd = true}); }};
}

}  // namespace touche::bench
