// SPDX-License-Identifier: Apache-2.0
// Each contact is a vector of seven numbers: its force, its torque relative to the size of all, and
// its distance relative to the reach. A linear constraint follows from others exactly if its vector
// is a combination of theirs with weights >= 0 that may be enlarged in the last component (Farkas):
// so the criterion is the distance from a cone. The contact farthest outside is added, one after
// the other. A distance only decreases while the cone grows, so an old one is an upper bound, and
// few are recomputed.
#include "touche/manifold.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "response/cone_distance.h"

namespace touche {
namespace {

auto key(const Contact& c) {
  return std::tuple(c.feature_a.kind, c.feature_a.index, c.feature_b.kind, c.feature_b.index);
}

}  // namespace

void Manifold::update(std::span<const Contact> contacts, const ManifoldOptions& options) {
  if (!(options.error > 0 && options.error < 1))
    throw InvalidInput("manifold: the error must be in (0, 1)");
  if (!(options.reach >= 0)) throw InvalidInput("manifold: the reach must not be negative");
  for (const Contact& c : contacts)
    if (!c.point_b.allFinite() || !c.normal.allFinite() || !std::isfinite(c.distance))
      throw InvalidInput("manifold: a contact is not finite");
  measure(contacts, options.reach);
  order_.resize(contacts.size());
  for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<Index>(i);
  // Pairs with the same features stay in their order of input.
  std::sort(order_.begin(), order_.end(), [&](Index i, Index j) {
    return std::tuple(key(contacts[i]), i) < std::tuple(key(contacts[j]), j);
  });

  constexpr std::size_t kFew = 4;
  if (contacts.size() <= kFew) {
    kept_ = order_;
  } else {
    keep_known(contacts);
    drop_needless(0.25 * options.error);
    add_missing(options.error);
    std::sort(kept_.begin(), kept_.end(), [&](Index i, Index j) {
      return std::tuple(key(contacts[i]), i) < std::tuple(key(contacts[j]), j);
    });
  }
  contacts_.clear();
  for (const Index i : kept_) contacts_.push_back(contacts[i]);
}

void Manifold::measure(std::span<const Contact> contacts, double reach) {
  Aabb box;
  for (const Contact& c : contacts) box.include(c.point_b);
  centre_ = contacts.empty() ? Vec3(Vec3::Zero()) : box.centre();
  const double half = 0.5 * box.diagonal();
  size_ = half > 0 ? half : 1;
  const double per_distance = 1 / (reach > 0 ? reach : 0.1 * size_);
  wrenches_.clear();
  for (const Contact& c : contacts) {
    const Vec3 torque = (c.point_b - centre_).cross(c.normal) / size_;
    response::Vector7 w;
    w << c.normal, torque, c.distance * per_distance;
    wrenches_.push_back(w);
  }
}

// Keeps contacts that were kept before and are here again.
void Manifold::keep_known(std::span<const Contact> contacts) {
  kept_.clear();
  auto before = contacts_.begin();
  for (const Index i : order_) {
    while (before != contacts_.end() && key(*before) < key(contacts[i])) ++before;
    if (before == contacts_.end()) break;
    if (key(*before) != key(contacts[i])) continue;
    kept_.push_back(i);
    ++before;
  }
}

void Manifold::drop_needless(double error) {
  for (std::size_t n = kept_.size(); n-- > 0;) {
    gather(n);
    if (response::distance_to_cone(generators_, wrenches_[kept_[n]], error) <= error)
      kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(n));
  }
}

// Collects the vectors of all kept contacts except one, and of a constraint that always holds.
void Manifold::gather(std::size_t without) {
  generators_.assign(1, response::Vector7::Unit(6));
  for (std::size_t n = 0; n < kept_.size(); ++n)
    if (n != without) generators_.push_back(wrenches_[kept_[n]]);
}

void Manifold::add_missing(double error) {
  gather(kept_.size());
  const auto less = [](const Candidate& x, const Candidate& y) {
    return x.outside != y.outside ? x.outside < y.outside : x.contact > y.contact;
  };
  candidates_.clear();
  for (Index i = 0; i < wrenches_.size(); ++i) candidates_.push_back({wrenches_[i].norm(), i, 0});
  std::make_heap(candidates_.begin(), candidates_.end(), less);
  while (!candidates_.empty()) {
    std::pop_heap(candidates_.begin(), candidates_.end(), less);
    Candidate& farthest = candidates_.back();
    if (farthest.seen_by == generators_.size()) {
      kept_.push_back(farthest.contact);
      generators_.push_back(wrenches_[farthest.contact]);
      candidates_.pop_back();
      continue;
    }
    farthest.outside = response::distance_to_cone(generators_, wrenches_[farthest.contact], error);
    farthest.seen_by = generators_.size();
    if (farthest.outside <= error)
      candidates_.pop_back();
    else
      std::push_heap(candidates_.begin(), candidates_.end(), less);
  }
}

}  // namespace touche
