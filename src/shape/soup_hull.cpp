// SPDX-License-Identifier: Apache-2.0
#include "shape/soup_hull.h"

#include <memory>
#include <optional>

#include "bvh/object_data.h"
#include "shape/pair_impact.h"

namespace touche {
namespace {

// Where numbers are that large nothing under- or overflows.
constexpr double kLeastHullSize = 1e-60, kLargestHullSize = 1e60;

// Most pairs take one look; of those that take more than these few come apart.
constexpr int kMostHullLooks = 12;

struct FoundHull final : Object::Data::Derived {
  std::optional<Shape> hull;
};

std::unique_ptr<const FoundHull> find_hull(const Object& object) {
  auto found = std::make_unique<FoundHull>();
  const std::span<const Vec3> vertices = object.soup().vertices();
  const Aabb& box = object.bounds();
  const double size = box.lo.cwiseAbs().cwiseMax(box.hi.cwiseAbs()).maxCoeff();
  if (vertices.size() <= kMostHullVertices && size > kLeastHullSize && size < kLargestHullSize)
    found->hull = Shape::hull(vertices);
  return found;
}

}  // namespace

const Shape* hull_of(const Object& object) {
  const auto& found = static_cast<const FoundHull&>(
      data_of(object).derived(Object::Data::kHull, [&] { return find_hull(object); }));
  return found.hull ? &*found.hull : nullptr;
}

bool hulls_stay_apart(const Object& a, const Motion& motion_a, const Object& b,
                      const Motion& motion_b, const ToiOptions& options) {
  const Shape *hull_a = hull_of(a), *hull_b = hull_of(b);
  if (hull_a == nullptr || hull_b == nullptr) return false;
  const Mover mover_a(*hull_a), mover_b(*hull_b);
  ToiLengths lengths(options);
  PiecePairs pieces(motion_a, motion_b);
  Vec3 guess = Vec3::Zero();
  double t = 0;
  int looks = 0;
  do {
    const MovingPair pair(mover_a, pieces.a(), mover_b, pieces.b());
    lengths.allow_for_rounding(pair);
    while (t < pieces.end()) {
      if (++looks > kMostHullLooks) return false;
      const PairStep step = step_pair(pair, pair.at(t), lengths, pieces.end(), guess);
      if (step.end != PairStep::End::open) return false;
      t = step.until;
    }
  } while (pieces.next());
  return true;
}

}  // namespace touche
