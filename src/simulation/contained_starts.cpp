// SPDX-License-Identifier: Apache-2.0
#include "simulation/contained_starts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "aabb_tree/aabb_tree.h"
#include "base/budget_part.h"
#include "path/interior.h"
#include "path/parts_inside.h"
#include "simulation/body_box.h"

namespace touche::simulation {
namespace {

class ContainedBodies {
 public:
  ContainedBodies(const Simulation& scene, const SimulationParts& parts,
                  const SimulationOptions& options)
      : scene_(scene), budget_(base::with_any_work(options.budget)) {
    for (const SimulationJoint& joint : scene.joints)
      if (joint.to && !joint.contacts) exempt_.insert(std::minmax(joint.body, *joint.to));
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      shapes_.push_back(body_shape(scene, parts, b));
      boxes_.push_back(box_at_start(scene, parts, b));
    }
  }

  std::vector<ContainedStart> find() {
    std::vector<ContainedStart> found;
    for (std::size_t inner = 0; inner < shapes_.size(); ++inner)
      for (std::size_t outer = 0; outer < shapes_.size(); ++outer) {
        if (!may_hold(outer, inner) || budget_.expired()) continue;
        if (const std::optional<bool> sure = holds(outer, inner))
          found.push_back({inner, outer, !*sure});
      }
    return found;
  }

  // At any time: bodies may come near that are far at the start.
  bool may_reach_in() {
    for (std::size_t outer = 0; outer < shapes_.size(); ++outer)
      for (std::size_t inner = 0; inner < shapes_.size(); ++inner)
        if (may_enter(outer, inner) && base::data_of(interior(outer)).may_be_entered(0))
          return true;
    return false;
  }

 private:
  // A convex shape is solid: what is inside of it touches it.
  bool may_enter(std::size_t outer, std::size_t inner) const {
    return outer != inner && !shapes_[outer].is_convex() &&
           !(scene_.bodies[outer].fixed && scene_.bodies[inner].fixed) &&
           !exempt_.contains(std::minmax(outer, inner));
  }
  bool may_hold(std::size_t outer, std::size_t inner) const {
    return may_enter(outer, inner) && overlap(boxes_[outer], boxes_[inner]);
  }

  // Whether it is sure that the inner body, or a piece of it, lies inside; nothing if it does not.
  std::optional<bool> holds(std::size_t outer, std::size_t inner) {
    const Pose &at = scene_.bodies[inner].pose, &pose = scene_.bodies[outer].pose;
    const Shape &own = shapes_[inner], &around = shapes_[outer];
    Containment found = Containment::none;
    if (own.is_convex()) {
      found = containment(interior(inner), at, interior(outer), pose, budget_);
    } else if (paths::may_hold(around.object(), pose, own.object(), at) &&
               !intersects(own.object(), at, around.object(), pose, budget_)) {
      const paths::Holds answer =
          paths::holds_part(interior(outer), pose, interior(inner), at, budget_);
      found = paths::containment_of(answer, paths::Holds::no);
    }
    if (found == Containment::a_in_b) return true;
    if (found == Containment::none || found == Containment::b_in_a) return std::nullopt;
    return false;
  }

  const Interior& interior(std::size_t body) {
    const std::size_t mesh = scene_.bodies[body].mesh;
    const auto found = interiors_.find(mesh);
    return found != interiors_.end()
               ? found->second
               : interiors_.emplace(mesh, Interior(shapes_[body])).first->second;
  }

  const Simulation& scene_;
  const Budget budget_;
  std::vector<Shape> shapes_;
  std::vector<Aabb> boxes_;
  std::set<std::pair<std::size_t, std::size_t>> exempt_;
  std::map<std::size_t, Interior> interiors_;  // by mesh
};

}  // namespace

std::vector<ContainedStart> contained_starts(const Simulation& scene, const SimulationParts& parts,
                                             const SimulationOptions& options) {
  return ContainedBodies(scene, parts, options).find();
}

bool may_reach_in(const Simulation& scene, const SimulationParts& parts,
                  const SimulationOptions& options) {
  return ContainedBodies(scene, parts, options).may_reach_in();
}

}  // namespace touche::simulation
