// SPDX-License-Identifier: Apache-2.0
// Reports which bodies are in contact or near when a step ends.
#include <algorithm>

#include "world/step_data.h"

namespace touche {

void Stepper::Data::begin_events() {
  if (!has_events()) return;
  const double contact = options->clearance + options->tolerance;
  event_memory.begin(world, {.contact = contact,
                             .near = std::max(contact, options->near_distance),
                             .asks_near = options->near_distance > 0});
}

void Stepper::Data::tell_events() {
  if (!has_events()) return;
  moved_with_.assign(world.bodies.size(), kNone);
  for (const Mover& mover : movers) moved_with_[mover.node] = mover.group;
  stopped_.clear();
  for (const StepPair& pair : result.contacts)
    if (stands_since(pair.a.index, pair.time.lower) && stands_since(pair.b.index, pair.time.lower))
      stopped_.emplace_back(pair.a.index, pair.b.index);
  event_memory.update(
      {.world = world, .group = moved_with_, .stopped = stopped_, .options = *options}, questioner,
      result);
}

bool Stepper::Data::stands_since(Index node, double t) const {
  if (options->policy == StepPolicy::together) return t == result.time.lower;
  const Group* group = group_at(node);
  return group == nullptr || (group->still && group->begin <= t);
}

}  // namespace touche
