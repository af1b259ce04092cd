// SPDX-License-Identifier: Apache-2.0
// Finds the bodies nearest to a point with a search box that grows until it meets the boxes of
// enough bodies.
#include <algorithm>
#include <cmath>
#include <functional>

#include "base/random.h"
#include "math/rounding.h"
#include "touche/shape.h"
#include "world/check.h"
#include "world/world_data.h"

namespace touche {
namespace {

// Distance of a box along each axis; 0 where the point lies between its ends.
Vec3 away(const Vec3& x, const RoundedBox& box) {
  Vec3 gap;
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    gap[k] = std::max({double{box.lo[i]} - x[k], x[k] - double{box.hi[i]}, 0.0});
  }
  return gap;
}

// A box that contains everything within `reach`, limited to what the broad phase may hold.
// Distances of bodies differ from distances of boxes by rounding, hence the factor.
Aabb around(const Vec3& x, double reach) {
  constexpr double kMost = BroadPhase::kMaxCoordinate;
  const Vec3 half = Vec3::Constant(reach / math::kRoundDown), most = Vec3::Constant(kMost);
  return {(x - half).cwiseMax(-most).cwiseMin(most), (x + half).cwiseMax(-most).cwiseMin(most)};
}

class NearestSearch {
 public:
  NearestSearch(const World::Data& world, const Vec3& point, std::size_t count, double max_distance)
      : world_(world), point_(point), count_(count), limit_(max_distance) {}

  // Of all n boxes, about j n / k are nearer than the j-th nearest of k boxes picked at random,
  // whatever their distribution. So with k = √n, few are picked and few are examined.
  std::vector<NearestBody> run() {
    if (count_ == 0) return {};
    const std::vector<double> reaches = reaches_of_some();
    const auto picked = static_cast<double>(reaches.size());
    const auto all = static_cast<double>(world_.boxes->size());
    double next = static_cast<double>(count_) * picked / std::max(1.0, all);
    for (;; next = 2 * next + 1) {
      const double most = next < picked ? reaches[static_cast<std::size_t>(next)] : kInfinity;
      const double reach = std::min(most, enough());
      look_within(reach);
      if (enough() <= reach) return std::move(best_);
    }
  }

 private:
  // Bodies with boxes farther away than this do not count, rounding included.
  double enough() const { return limit_ / math::kRoundDown; }

  // Distances that a search box must reach to meet each of √n random boxes, in ascending order.
  std::vector<double> reaches_of_some() const {
    std::vector<double> reaches;
    const auto numbers = static_cast<Index>(world_.node_of_box.size());
    base::Random random(1);
    for (std::uint64_t i = 0; i * i < numbers; ++i)
      if (const Index number = random.below(numbers); world_.boxes->has(number))
        reaches.push_back(away(point_, world_.boxes->box(number)).maxCoeff());
    std::sort(reaches.begin(), reaches.end());
    return reaches;
  }

  // Measures the bodies whose boxes are within reach and were not before, nearest boxes first.
  void look_within(double reach) {
    waiting_.clear();
    world_.boxes->in_box(around(point_, reach), [&](Index number) {
      const Vec3 gap = away(point_, world_.boxes->box(number));
      if (reached_ < gap.maxCoeff() && gap.maxCoeff() <= reach)
        waiting_.emplace_back(gap.norm(), world_.node_of_box[number]);
      return true;
    });
    reached_ = reach;
    std::make_heap(waiting_.begin(), waiting_.end(), std::greater<>());
    for (; !waiting_.empty(); waiting_.pop_back()) {
      std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
      const auto [gap, node] = waiting_.back();
      if (gap > enough()) return;
      const ClosestPoint closest =
          closest_point(world_.shape(node), world_.bodies[node].pose, point_, limit_);
      if (closest.distance < kInfinity) keep({world_.graph.id(node), closest});
    }
  }

  void keep(const NearestBody& body) {
    const auto before = [](const NearestBody& x, const NearestBody& y) {
      return std::pair(x.closest.distance, x.body) < std::pair(y.closest.distance, y.body);
    };
    best_.insert(std::upper_bound(best_.begin(), best_.end(), body, before), body);
    if (best_.size() > count_) best_.pop_back();
    if (best_.size() == count_) limit_ = best_.back().closest.distance;
  }

  const World::Data& world_;
  const Vec3 point_;
  const std::size_t count_;
  double limit_;         // bodies farther away do not count
  double reached_ = -1;  // boxes up to this distance were examined
  std::vector<NearestBody> best_;
  std::vector<std::pair<double, Index>> waiting_;  // a heap, nearest box first
};

}  // namespace

ClosestPoint World::closest_point(NodeId body, const Vec3& point, double max_distance) const {
  const Index node = data_->checked_body(body);
  world::require_length(max_distance, "the largest distance");
  return touche::closest_point(data_->shape(node), data_->graph.pose(node), point, max_distance);
}

std::vector<NearestBody> World::nearest(const Vec3& point, std::size_t count, double max_distance) {
  world::require_length(max_distance, "the largest distance");
  if (!point.allFinite()) throw InvalidInput("world: a point has a coordinate that is no number");
  data_->refresh_for_search();
  return NearestSearch(*data_, point, count, max_distance).run();
}

}  // namespace touche
