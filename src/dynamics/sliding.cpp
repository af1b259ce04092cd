// SPDX-License-Identifier: Apache-2.0
// Pairs of bodies whose surfaces slide along each other in a step by more than their facets.
#include <algorithm>

#include "dynamics/dynamics_data.h"

namespace touche {
namespace {

// Pairs with no more contact candidates do not slide: pairs of threads have thousands.
constexpr std::ptrdiff_t kManyPlaces = 32;
// Radians per step: a body that turns by more leaves the facet that would hold it.
constexpr double kFewFacets = 0.02;
// Radians: slides are followed no further, see kFarTurn of contact_solver.cpp.
constexpr double kFarSlide = 1;

}  // namespace

// Finds the pairs that slide, and gives their contact candidates the normals of the smooth surfaces
// that the facets approximate.
void Dynamics::Data::find_sliding() {
  sliding_.clear();
  sliding_surfaces_.forget_if_many();
  found_.assign(contact_list_.places().begin(), contact_list_.places().end());
  for (auto first = found_.begin(); first != found_.end();) {
    const Index a = first->a, b = first->b;
    const auto last = std::find_if(
        first, found_.end(), [&](const dynamics::NearPlace& p) { return p.a != a || p.b != b; });
    const bool far = (turning(b) - turning(a)).norm() * dt > kFewFacets;
    const std::optional<dynamics::SlidingPair> pair =
        far && last - first > kManyPlaces ? sliding_pair(a, b) : std::nullopt;
    if (pair) {
      for (dynamics::NearPlace& place : std::span(first, last)) {
        place.side = pair->side(place.feature_a, place.feature_b);
        if (place.side == dynamics::SlidingPair::Side::none) {
          place.a = kNone;
          continue;
        }
        place.normal = pair->smooth(place.side, place.point, place.normal);
        place.sliding = static_cast<Index>(sliding_.size());
      }
      sliding_.push_back({a, b, *pair});
    }
    first = last;
  }
  std::erase_if(found_, [](const dynamics::NearPlace& place) { return place.a == kNone; });
}

std::optional<dynamics::SlidingPair> Dynamics::Data::sliding_pair(Index a, Index b) {
  if (!world::are_soups(world.shape(a), world.shape(b))) return {};
  const Object &object_a = world.shape(a).object(), &object_b = world.shape(b).object();
  const dynamics::SlidingSurface* const surface_a = sliding_surfaces_.of(object_a);
  const dynamics::SlidingSurface* const surface_b =
      surface_a != nullptr ? sliding_surfaces_.of(object_b) : nullptr;
  if (surface_b == nullptr) return {};
  return dynamics::SlidingPair::of(
      {&object_a.soup(), surface_a, placed(surface_a->screw(), world.bodies[a].pose)},
      {&object_b.soup(), surface_b, placed(surface_b->screw(), world.bodies[b].pose)},
      std::min(object_a.bounds().diagonal(), object_b.bounds().diagonal()));
}

const dynamics::SlidingBodies* Dynamics::Data::sliding_bodies(Index a, Index b) const {
  const auto at =
      std::find_if(sliding_.begin(), sliding_.end(),
                   [&](const dynamics::SlidingBodies& s) { return s.a == a && s.b == b; });
  return at == sliding_.end() ? nullptr : &*at;
}

// The angular velocity of a body at the start of the step.
Vec3 Dynamics::Data::turning(Index body) const {
  const dynamics::MovingNode* const node = mover(body);
  if (node == nullptr) return Vec3::Zero();
  if (!node->is_dynamic()) return node->motion_speed(0, 1).angular / dt;
  return node->inertia.inverse_world(node->rotation(node->start)) * node->angular_momentum;
}

// Roughly the rotation of b as seen from a, at the bodies' present velocities.
Vec3 Dynamics::Data::turn_between(const dynamics::SlidingBodies& both, double time) const {
  return time * (solver_bodies_[solver_number(both.b)].angular -
                 solver_bodies_[solver_number(both.a)].angular);
}

// Finds what is left of the motions beside the slides, at the bodies' present velocities.
void Dynamics::Data::find_besides() {
  for (dynamics::SlidingBodies& both : sliding_) {
    const Index a = solver_number(both.a), b = solver_number(both.b);
    const double turns = turn_between(both, dt).norm();
    both.time = turns > kFarSlide ? dt * (kFarSlide / turns) : dt;
    const auto moved = [&](Index i, double time) {
      const Mat3 turn = dynamics::turned(Mat3::Identity(), time * solver_bodies_[i].angular);
      return dynamics::Shift{turn,
                             centres_[i] + time * solver_bodies_[i].linear - turn * centres_[i]};
    };
    for (const std::size_t at_end : {0, 1}) {
      const double time = at_end == 1 ? both.time : 0.5 * both.time;
      const dynamics::Shift of_a = moved(a, time), of_b = moved(b, time);
      const Mat3 back = of_a.turn.transpose();
      const dynamics::Shift motion{back * of_b.turn, back * (of_b.shift - of_a.shift)};
      const Vec3 turn = turn_between(both, time);
      both.beside_a[at_end] = both.pair.beside(dynamics::SlidingPair::Side::a, motion, turn);
      both.beside_b[at_end] = both.pair.beside(dynamics::SlidingPair::Side::b, motion, turn);
    }
  }
}

// The same as bend, for surfaces that slide.
double Dynamics::Data::slide_bend(const dynamics::NearPlace& place) const {
  const dynamics::SlidingBodies& both = sliding_[place.sliding];
  const auto& beside = place.side == dynamics::SlidingPair::Side::a ? both.beside_a : both.beside_b;
  const auto speed = [&](const dynamics::Shift& rest, double time) {
    return place.normal.dot(rest(place.point) - place.point) / time;
  };
  return std::min(speed(beside[0], 0.5 * both.time), speed(beside[1], both.time)) -
         dynamics::parting_speed(gap_at(place), solver_bodies_[solver_number(place.a)],
                                 solver_bodies_[solver_number(place.b)]);
}

}  // namespace touche
