// SPDX-License-Identifier: Apache-2.0
#include "frames.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/random.h"

namespace touche::bench {
namespace {

double normal(base::Random& random) {
  return std::sqrt(-2 * std::log(random.uniform(0x1p-53, 1))) *
         std::cos(2 * std::numbers::pi * random.uniform());
}

std::array<double, 3> alike(base::Random& random) {
  return {random.uniform(0.5, 1.5), random.uniform(0.5, 1.5), random.uniform(0.5, 1.5)};
}

std::array<double, 3> very_different(base::Random& random) {
  const double size = 0.05 * std::pow(100, random.uniform());
  return {size * random.uniform(0.5, 1), size * random.uniform(0.5, 1),
          size * random.uniform(0.5, 1)};
}

}  // namespace

std::string name(Scene scene) {
  switch (scene) {
    case Scene::kSparse:
      return "sparse";
    case Scene::kDense:
      return "dense";
    case Scene::kClustered:
      return "clustered";
    case Scene::kSizes:
      return "sizes";
    case Scene::kFloor:
      return "floor";
    case Scene::kFalling:
      return "falling";
    case Scene::kGiant:
      return "giant";
  }
  return {};
}

// Two boxes whose centres are anywhere in a volume V overlap with the probability of the mean
// product of their summed edges over V: 8 / V where edges are 0.5 to 1.5, 15 / V where sizes
// differ.
Frames::Frames(const Setting& setting) : setting_(setting), bodies_(setting.bodies) {
  const double n = setting.bodies;
  base::Random random(setting.seed);
  const bool various = setting.scene == Scene::kClustered || setting.scene == Scene::kSizes;
  for (Body& body : bodies_) body.edges = various ? very_different(random) : alike(random);
  switch (setting.scene) {
    case Scene::kSparse:
      place_evenly(std::cbrt(8 * n));
      break;
    case Scene::kDense:
      place_evenly(std::cbrt(0.8 * n));
      break;
    case Scene::kSizes:
      place_evenly(std::cbrt(3 * n));  // five others
      break;
    case Scene::kClustered:
      place_clusters();
      break;
    case Scene::kFloor:
      place_on_floor(0);
      break;
    case Scene::kFalling:
      place_on_floor(4);
      break;
    case Scene::kGiant: {
      const double side = std::cbrt(8 * n);
      bodies_[0].edges = {side / 2, side / 2, side / 2};
      place_evenly(side);
      bodies_[0].centre = {side / 2, side / 2, side / 2};
      break;
    }
  }
  set_grid();
  boxes_.reserve(bodies_.size());
  for (const Body& body : bodies_) boxes_.push_back(box(body));
  order_.resize(bodies_.size());
  std::iota(order_.begin(), order_.end(), 0);
  for (std::size_t i = order_.size(); i > 1; --i)
    std::swap(order_[i - 1], order_[random.next() % i]);
  choose();
  moved_.reserve(moving_.size() + 1);
}

void Frames::place_evenly(double side) {
  base::Random random(setting_.seed ^ 0x10000);
  for (Body& body : bodies_) {
    body.lo = {0, 0, 0};
    body.hi = {side, side, side};
    for (double& x : body.centre) x = random.uniform(0, side);
  }
}

// A Gaussian cluster of m boxes holds m / (8 π^1.5 σ^3) boxes per volume around a mean one of them:
// σ is chosen for ten overlaps. Clusters are about four σ apart.
void Frames::place_clusters() {
  base::Random random(setting_.seed ^ 0x20000);
  const double m = setting_.bodies / 100.0;
  const double sigma = std::cbrt(15 * m / (10 * 8 * std::pow(std::numbers::pi, 1.5)));
  const double side = 20 * sigma;
  std::vector<std::array<double, 3>> centres(100);
  for (auto& centre : centres)
    for (double& x : centre) x = random.uniform(0, side);
  for (Body& body : bodies_) {
    const auto& centre = centres[random.next() % centres.size()];
    for (std::size_t i = 0; i < 3; ++i) body.centre[i] = centre[i] + sigma * normal(random);
    body.lo = {-10 * sigma, -10 * sigma, -10 * sigma};
    body.hi = {side + 10 * sigma, side + 10 * sigma, side + 10 * sigma};
  }
}

// Body 0 is the floor, with its upper side at 0. Where all have come down, a box overlaps two
// others beside it.
void Frames::place_on_floor(double air) {
  base::Random random(setting_.seed ^ 0x30000);
  const double side = std::sqrt(2.0 * setting_.bodies);
  Body& floor = bodies_[0];
  floor.edges = {side + 4, side + 4, 1};
  floor.centre = {side / 2, side / 2, -0.5};
  floor.lo = floor.hi = floor.centre;
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    Body& body = bodies_[i];
    const double lying = 0.5 * body.edges[2] - 0.05;  // a little in the floor, as solvers leave it
    body.lo = {0, 0, lying};
    body.hi = {side, side, lying + air};
    body.centre = {random.uniform(0, side), random.uniform(0, side),
                   lying + random.uniform(0, air)};
    body.fall = air > 0 ? 0.02 * body.edges[2] : 0;
  }
  if (air == 0)
    for (std::size_t i = 1; i < bodies_.size(); ++i) bodies_[i].hi[2] = bodies_[i].lo[2] + 0.04;
}

bool Frames::fixed(std::uint32_t body) const {
  return body == 0 && (setting_.scene == Scene::kFloor || setting_.scene == Scene::kFalling);
}

// Makes the grid as fine as 24 bits allow.
void Frames::set_grid() {
  double most = 0;
  for (const Body& body : bodies_)
    for (std::size_t i = 0; i < 3; ++i)
      most = std::max({most, body.edges[i] - body.lo[i], body.edges[i] + body.hi[i]});
  grid_ = std::exp2(std::ceil(std::log2(most)) - 24);
  for (Body& body : bodies_)
    for (double& edge : body.edges) edge = grid_ * std::ceil(edge / grid_);
}

Box Frames::box(const Body& body) const {
  Box result;
  for (std::size_t i = 0; i < 3; ++i) {
    const double lo = grid_ * std::round((body.centre[i] - 0.5 * body.edges[i]) / grid_);
    result.lo[i] = static_cast<float>(lo);
    result.hi[i] = static_cast<float>(lo + body.edges[i]);
  }
  return result;
}

void Frames::choose() {
  const auto n = order_.size();
  const auto count = std::clamp<std::size_t>(
      static_cast<std::size_t>(std::llround(setting_.share * static_cast<double>(n))), 1, n);
  const std::size_t first = setting_.rotating ? frame_ * count % n : 0;
  moving_.clear();
  for (std::size_t i = 0; i < count; ++i)
    if (const std::uint32_t body = order_[(first + i) % n]; !fixed(body)) moving_.push_back(body);
  std::sort(moving_.begin(), moving_.end());
}

std::span<const Moved> Frames::next() {
  ++frame_;
  if (setting_.rotating) choose();
  base::Random random(setting_.seed + (frame_ << 32));
  moved_.clear();
  for (const std::uint32_t i : moving_) {
    Body& body = bodies_[i];
    for (std::size_t k = 0; k < 3; ++k) {
      double& x = body.centre[k];
      double step = 0.02 * body.edges[k] * random.uniform(-1, 1);
      if (k == 2 && body.fall > 0) step = -body.fall;
      x = std::clamp(x + step, body.lo[k], body.hi[k]);
    }
    boxes_[i] = box(body);
    moved_.push_back({i, boxes_[i]});
  }
  return moved_;
}

}  // namespace touche::bench
