// SPDX-License-Identifier: Apache-2.0
// ODE as its manual sets it up: quick step, 20 iterations, contact joints with at most 8 contacts a
// pair. Boxes are boxes, everything else is a triangle mesh: its convex bodies are not tested
// against boxes.
#include <ode/ode.h>

#include <algorithm>
#include <cmath>

#include "engine.h"

namespace touche::bench {
namespace {

constexpr int kMostContacts = 8;

class Mesh {
 public:
  explicit Mesh(const PolygonSoup& soup) : data_(dGeomTriMeshDataCreate()) {
    for (const Vec3& v : soup.vertices()) vertices_.insert(vertices_.end(), {v.x(), v.y(), v.z()});
    for (const auto& t : soup.triangles())
      for (const Index v : t) corners_.push_back(v);
    dGeomTriMeshDataBuildDouble(data_, vertices_.data(), 3 * sizeof(double),
                                static_cast<int>(soup.vertex_count()), corners_.data(),
                                static_cast<int>(corners_.size()), 3 * sizeof(dTriIndex));
  }
  ~Mesh() { dGeomTriMeshDataDestroy(data_); }
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;
  dTriMeshDataID data() const { return data_; }

 private:
  std::vector<double> vertices_;  // ODE refers to the caller's arrays
  std::vector<dTriIndex> corners_;
  dTriMeshDataID data_;
};

struct Surface {
  double friction = 0, restitution = 0;
};

class Ode final : public Engine {
 public:
  explicit Ode(const Task& task) : time_step_(task.scene.time_step) {
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    const Vec3& g = task.scene.gravity;
    dWorldSetGravity(world_, g.x(), g.y(), g.z());
    dWorldSetERP(world_, 0.2);
    dWorldSetCFM(world_, 1e-9);
    for (const scenes::DynamicMesh& mesh : task.scene.meshes)
      meshes_.push_back(std::make_unique<Mesh>(mesh.soup));
    surfaces_.reserve(task.scene.bodies.size());
    for (const scenes::DynamicBody& body : task.scene.bodies) add(task, body);
    for (const scenes::DynamicHinge& hinge : task.scene.hinges) add(hinge);
  }
  ~Ode() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    meshes_.clear();
    dCloseODE();
  }

  void step() override {
    dSpaceCollide(space_, this,
                  [](void* self, dGeomID a, dGeomID b) { static_cast<Ode*>(self)->meet(a, b); });
    dWorldQuickStep(world_, time_step_);
    dJointGroupEmpty(contacts_);
  }

  std::vector<State> states() const override {
    std::vector<State> states;
    for (std::size_t b = 0; b < geometries_.size(); ++b) {
      const dReal* at = dGeomGetPosition(geometries_[b]);
      dQuaternion q;
      dGeomGetQuaternion(geometries_[b], q);
      State state{Pose::from_quaternion(q[0], q[1], q[2], q[3], Vec3(at[0], at[1], at[2]))};
      if (bodies_[b] != nullptr) {
        const dReal* v = dBodyGetLinearVel(bodies_[b]);
        const dReal* w = dBodyGetAngularVel(bodies_[b]);
        state.velocity = {v[0], v[1], v[2]};
        state.spin = {w[0], w[1], w[2]};
      }
      states.push_back(state);
    }
    return states;
  }

 private:
  void add(const Task& task, const scenes::DynamicBody& body) {
    const std::optional<Vec3> half = box_half(task.scene.meshes[body.mesh].soup);
    const dGeomID geometry =
        half ? dCreateBox(space_, 2 * half->x(), 2 * half->y(), 2 * half->z())
             : dCreateTriMesh(space_, meshes_[body.mesh]->data(), nullptr, nullptr, nullptr);
    surfaces_.push_back({body.friction, body.restitution});
    dGeomSetData(geometry, &surfaces_.back());
    dBodyID made = nullptr;
    if (!body.fixed) {
      made = dBodyCreate(world_);
      const MassProperties& mass = task.mass[body.mesh];
      dMass m;
      dMassSetParameters(&m, mass.mass, 0, 0, 0, mass.inertia(0, 0), mass.inertia(1, 1),
                         mass.inertia(2, 2), 0, 0, 0);
      dBodySetMass(made, &m);
      dBodySetAutoDisableFlag(made, 0);
      dGeomSetBody(geometry, made);
      dBodySetLinearVel(made, body.velocity.x(), body.velocity.y(), body.velocity.z());
      dBodySetAngularVel(made, body.angular_velocity.x(), body.angular_velocity.y(),
                         body.angular_velocity.z());
    }
    const Eigen::Quaterniond q = body.pose.rotation();
    const dQuaternion turn = {q.w(), q.x(), q.y(), q.z()};
    dGeomSetQuaternion(geometry, turn);
    const Vec3& t = body.pose.translation();
    dGeomSetPosition(geometry, t.x(), t.y(), t.z());
    geometries_.push_back(geometry);
    bodies_.push_back(made);
  }

  void add(const scenes::DynamicHinge& hinge) {
    const dJointID joint = dJointCreateHinge(world_, nullptr);
    dJointAttach(joint, bodies_[hinge.body], hinge.to ? bodies_[*hinge.to] : nullptr);
    dJointSetHingeAnchor(joint, hinge.point.x(), hinge.point.y(), hinge.point.z());
    dJointSetHingeAxis(joint, hinge.axis.x(), hinge.axis.y(), hinge.axis.z());
  }

  void meet(dGeomID a, dGeomID b) {
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (body_a == nullptr && body_b == nullptr) return;
    if (body_a != nullptr && body_b != nullptr &&
        dAreConnectedExcluding(body_a, body_b, dJointTypeContact) != 0)
      return;
    dContact contacts[kMostContacts];
    const int count = dCollide(a, b, kMostContacts, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      contacts[i].surface = {};
      contacts[i].surface.mode = dContactApprox1;
      const auto& of_a = *static_cast<const Surface*>(dGeomGetData(a));
      const auto& of_b = *static_cast<const Surface*>(dGeomGetData(b));
      contacts[i].surface.mu = std::sqrt(of_a.friction * of_b.friction);
      if (const double bounce = std::max(of_a.restitution, of_b.restitution); bounce > 0) {
        contacts[i].surface.mode |= dContactBounce;
        contacts[i].surface.bounce = bounce;
      }
      dJointAttach(dJointCreateContact(world_, contacts_, &contacts[i]), body_a, body_b);
    }
  }

  const double time_step_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<std::unique_ptr<Mesh>> meshes_;
  std::vector<Surface> surfaces_;
  std::vector<dGeomID> geometries_;
  std::vector<dBodyID> bodies_;  // null: fixed
};

}  // namespace

EngineEntry ode_engine() {
  return {"ODE", [](const Task& task) { return std::make_unique<Ode>(task); }};
}

}  // namespace touche::bench
