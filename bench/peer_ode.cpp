// SPDX-License-Identifier: Apache-2.0
// ODE's trimesh against trimesh (OPCODE). It answers in contacts, not in pairs of faces, and has
// no test of its own for any pair that intersects: a limit of one contact is what comes nearest.
#include <ode/ode.h>

#include "peer.h"

namespace touche::bench {
namespace {

class Mesh {
 public:
  explicit Mesh(const PolygonSoup& soup) {
    for (const Vec3& v : soup.vertices())
      for (int k = 0; k < 3; ++k) vertices_.push_back(v[k]);
    for (const auto& t : soup.triangles()) indices_.insert(indices_.end(), t.begin(), t.end());
    data_ = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data_, vertices_.data(), 3 * sizeof(double),
                                static_cast<int>(vertices_.size() / 3), indices_.data(),
                                static_cast<int>(indices_.size()), 3 * sizeof(dTriIndex));
    geom_ = dCreateTriMesh(nullptr, data_, nullptr, nullptr, nullptr);
  }
  ~Mesh() {
    dGeomDestroy(geom_);
    dGeomTriMeshDataDestroy(data_);
  }
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;

  dGeomID at(const Pose& pose) {
    const Eigen::Quaterniond q = pose.rotation();
    const dQuaternion rotation{q.w(), q.x(), q.y(), q.z()};
    dGeomSetPosition(geom_, pose.translation().x(), pose.translation().y(), pose.translation().z());
    dGeomSetQuaternion(geom_, rotation);
    return geom_;
  }

 private:
  std::vector<double> vertices_;  // ODE refers to the caller's arrays
  std::vector<dTriIndex> indices_;
  dTriMeshDataID data_;
  dGeomID geom_;
};

class Ode final : public Rival {
 public:
  Ode(const PolygonSoup& a, const PolygonSoup& b) : a_(a), b_(b) {}

  bool intersects(const PosePair& p) override {
    dContactGeom contact;
    return dCollide(a_.at(p.a), b_.at(p.b), static_cast<int>(CONTACTS_UNIMPORTANT | 1u), &contact,
                    sizeof contact) > 0;
  }

 private:
  Mesh a_, b_;
};

}  // namespace

Peer ode_peer() {
  return {"ODE",
          {Question::intersects},
          [](const PolygonSoup& a, const PolygonSoup& b) -> std::unique_ptr<Rival> {
            static const bool ready = (dInitODE2(0), dAllocateODEDataForThread(~0u) != 0);
            if (!ready) return nullptr;
            return std::make_unique<Ode>(a, b);
          }};
}

}  // namespace touche::bench
