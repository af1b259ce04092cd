// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/directed_volume.h"
#include "touche/methods/kdop.h"

namespace touche {

struct Kdop::Data {
  std::vector<Vec3> directions;
  bounds::SlabPolytope body;
};

Kdop Kdop::fit(std::span<const Vec3> points, std::span<const Vec3> directions) {
  std::vector<Vec3> even = bounds::even_directions(directions);
  bounds::SlabPolytope body = bounds::SlabPolytope::around(points, even);
  return Kdop(std::make_shared<const Data>(Data{std::move(even), std::move(body)}));
}

std::vector<Kdop::Slab> Kdop::slabs() const {
  std::vector<Slab> out;
  for (const bounds::Slab& s : data_->body.slabs()) out.push_back({s.normal, s.lo, s.hi});
  return out;
}

bool Kdop::contains(const Vec3& p) const { return data_->body.contains(p); }
double Kdop::volume() const { return data_->body.volume(); }
double Kdop::surface_area() const { return data_->body.surface_area(); }
double Kdop::diameter() const { return data_->body.diameter(); }
std::vector<std::vector<Vec3>> Kdop::faces() const { return data_->body.faces(); }

Kdop Kdop::moved(const Pose& pose) const {
  const std::vector<Vec3>& directions = data_->directions;
  return Kdop(
      std::make_shared<const Data>(Data{directions, bounds::moved(data_->body, pose, directions)}));
}

bool overlap(const Kdop& a, const Kdop& b, const Pose& pose) {
  return bounds::overlap(a.data_->body, b.data_->body, pose);
}

double lower_bound(const Kdop& a, const Kdop& b, const Pose& pose) {
  return bounds::lower_bound(a.data_->body, b.data_->body, pose);
}

}  // namespace touche
