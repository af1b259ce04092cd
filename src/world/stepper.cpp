// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include "base/budget_part.h"
#include "base/data_access.h"
#include "world/session_writer.h"
#include "world/step_data.h"

namespace touche {
namespace {

void check(const StepOptions& options) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw InvalidInput(std::string("step: ") + what);
  };
  require(options.tolerance > 0 && std::isfinite(options.tolerance),
          "the tolerance must be a length > 0");
  require(options.clearance >= 0 && std::isfinite(options.clearance),
          "the clearance must be a length >= 0");
  require(options.near_distance >= 0 && std::isfinite(options.near_distance),
          "the near distance must be a length >= 0");
  require(options.near_distance == 0 || options.events,
          "the near distance is for events, which are not requested");
  require(options.max_responses >= 0, "the number of responses must not be negative");
  require(options.policy != StepPolicy::respond || options.respond,
          "the policy `respond` needs a function that responds");
  require(options.viewer.allFinite(), "the viewer's position must be finite");
}

struct EndOfStep {
  Stepper::Data& data;
  ~EndOfStep() {
    data.leave_world();
    if (!data.is_kept()) data.end_step();
  }
};

}  // namespace

Stepper::Stepper(World& world) : data_(std::make_unique<Data>(world)) {}
Stepper::~Stepper() = default;
Stepper::Stepper(Stepper&&) noexcept = default;
Stepper& Stepper::operator=(Stepper&&) noexcept = default;

void Stepper::move(NodeId node, const Motion& motion) {
  data_->require_no_step();
  data_->register_motion(node, motion);
}

void Stepper::forget() {
  data_->require_no_step();
  if (data_->is_kept()) data_->end_step();
  data_->memory.forget();
  data_->event_memory = {};
  if (data_->session) data_->session->forgets();
}

void Stepper::record(const std::filesystem::path& file) {
  forget();
  data_->session.reset();
  if (!file.empty()) data_->session = std::make_shared<world::SessionWriter>(file);
}

const StepResult& Stepper::run(const StepOptions& options) {
  data_->require_no_step();
  if (data_->is_kept()) data_->end_step();
  // The motions are dropped whatever happens, unless the step may be continued.
  const EndOfStep end{*data_};
  check(options);
  return data_->session ? data_->session->run(*data_, options) : data_->run(options);
}

const StepResult& Stepper::go_on(const StepOptions& options) {
  data_->require_no_step();
  if (!data_->is_kept())
    throw InvalidInput("step: there is no step to go on with; its policy must have been `report`");
  const EndOfStep end{*data_};
  check(options);
  return data_->session ? data_->session->go_on(*data_, options) : data_->go_on(options);
}

const StepResult& Stepper::Data::run(const StepOptions& with) {
  begin(with);
  ask_all();
  return finish();
}

const StepResult& Stepper::Data::go_on(const StepOptions& with) {
  const Kept before = *std::exchange(kept_, {});
  begin(with);
  if (!(common() == before))
    throw InvalidInput(
        "step: it cannot go on, because the world, the tolerance or the clearance has changed");
  waiting.clear();
  ask_on();
  return finish();
}

void Stepper::Data::begin(const StepOptions& with) {
  options = &with;
  left_ = base::for_part(with.budget);
  keep_time_for_end();
  result.groups.clear();
  result.contacts.clear();
  result.undecided.clear();
  for (PairEvents* events : {&result.contact_events, &result.near_events}) {
    events->began.clear();
    events->going_on.clear();
    events->ended.clear();
  }
  result.time = {};
  result.stats = {};
  for (const Group& group : groups) result.groups.push_back({group.node, 1});
  world.in_step = true;
  begin_step();
  begin_events();
}

const StepResult& Stepper::Data::finish() {
  result.time = first_contact();
  switch (options->policy) {
    case StepPolicy::report:
      report();
      kept_ = common();
      break;
    case StepPolicy::together:
      stop_together();
      break;
    case StepPolicy::each:
    case StepPolicy::respond:
      stop_each();
      break;
  }
  tell_events();
  learn_time_for_end();
  return result;
}

Stepper::Data::Kept Stepper::Data::common() const {
  return {options->tolerance, options->clearance, world.revision, world.graph.changes()};
}

void Stepper::Data::require_no_step() const {
  if (world.in_step) throw InvalidInput("step: one is being taken in this world");
}

void Stepper::Data::leave_world() {
  for (const Mover& mover : movers) world.bodies[mover.node].on_way = false;
  world.in_step = false;
}

}  // namespace touche
