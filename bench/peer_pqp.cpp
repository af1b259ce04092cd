// SPDX-License-Identifier: Apache-2.0
// PQP 1.3 of the University of North Carolina, whose licence keeps its sources out of this
// repository. TOUCHE_PQP_DIR names a copy of them (docs/performance.md).
#include <PQP.h>

#include "peer.h"

namespace touche::bench {
namespace {

// PQP takes poses as plain arrays that are not const.
struct Transform {
  explicit Transform(const Pose& pose) {
    const Eigen::Matrix3d matrix = pose.matrix();
    for (int row = 0; row < 3; ++row) {
      translation[row] = pose.translation()[row];
      for (int column = 0; column < 3; ++column) rotation[row][column] = matrix(row, column);
    }
  }
  PQP_REAL rotation[3][3], translation[3];
};

void load(PQP_Model& model, const PolygonSoup& soup) {
  model.BeginModel(static_cast<int>(soup.triangle_count()));
  int id = 0;
  for (const auto& t : soup.triangles())
    model.AddTri(soup.vertices()[t[0]].data(), soup.vertices()[t[1]].data(),
                 soup.vertices()[t[2]].data(), id++);
  model.EndModel();
}

class Pqp final : public Rival {
 public:
  Pqp(const PolygonSoup& a, const PolygonSoup& b) {
    load(a_, a);
    load(b_, b);
  }

  bool intersects(const PosePair& p) override { return collide(p, PQP_FIRST_CONTACT) > 0; }

  std::size_t all_pairs(const PosePair& p, std::vector<FacePair>* pairs) override {
    const int count = collide(p, PQP_ALL_CONTACTS);
    if (pairs)
      for (int i = 0; i < count; ++i)
        pairs->push_back(
            {static_cast<Index>(collision_.Id1(i)), static_cast<Index>(collision_.Id2(i))});
    return static_cast<std::size_t>(count);
  }

  double distance(const PosePair& p) override {
    Transform a(p.a), b(p.b);
    PQP_DistanceResult result;
    PQP_Distance(&result, a.rotation, a.translation, &a_, b.rotation, b.translation, &b_, 0, 0);
    return result.Distance();
  }

  std::optional<std::size_t> hierarchy_bytes() const override {
    return static_cast<std::size_t>(a_.num_bvs + b_.num_bvs) * sizeof(BV);
  }

 private:
  int collide(const PosePair& p, int flag) {
    Transform a(p.a), b(p.b);
    PQP_Collide(&collision_, a.rotation, a.translation, &a_, b.rotation, b.translation, &b_, flag);
    return collision_.NumPairs();
  }

  PQP_Model a_, b_;
  PQP_CollideResult collision_;  // keeps its memory from one question to the next
};

}  // namespace

Peer pqp_peer() {
  return {"PQP",
          {Question::intersects, Question::all_pairs, Question::distance},
          [](const PolygonSoup& a, const PolygonSoup& b) -> std::unique_ptr<Rival> {
            return std::make_unique<Pqp>(a, b);
          }};
}

}  // namespace touche::bench
