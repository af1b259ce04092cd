// SPDX-License-Identifier: Apache-2.0
#include "peer.h"
#include "touche/touche.h"

namespace touche::bench {
namespace {

class Touche final : public Rival {
 public:
  Touche(const PolygonSoup& a, const PolygonSoup& b)
      : a_(a, "a", {.threads = 1}), b_(b, "b", {.threads = 1}) {}

  bool intersects(const PosePair& p) override {
    return touche::intersects(a_, p.a, b_, p.b).intersects;
  }

  std::size_t all_pairs(const PosePair& p, std::vector<FacePair>* pairs) override {
    FacePairsResult result = intersecting_faces(a_, p.a, b_, p.b);
    const std::size_t count = result.pairs.size();
    if (pairs) *pairs = std::move(result.pairs);
    return count;
  }

  double distance(const PosePair& p) override {
    return touche::distance(a_, p.a, b_, p.b).distance.upper;
  }

  Impact continuous(const Sweep& sweep, double tolerance) override {
    const ToiResult result =
        time_of_impact(a_, Motion::interpolated(sweep.start.a, sweep.end.a), b_,
                       Motion::interpolated(sweep.start.b, sweep.end.b), {.tolerance = tolerance});
    return {result.status != ToiStatus::free, result.time};
  }

  std::optional<std::size_t> hierarchy_bytes() const override {
    return a_.memory().hierarchy_bytes + b_.memory().hierarchy_bytes;
  }

 private:
  Object a_, b_;
};

}  // namespace

Peer touche_peer() {
  return {"Touché",
          {Question::intersects, Question::all_pairs, Question::distance, Question::continuous},
          [](const PolygonSoup& a, const PolygonSoup& b) -> std::unique_ptr<Rival> {
            return std::make_unique<Touche>(a, b);
          }};
}

}  // namespace touche::bench
