// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include "base/data_access.h"
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
  require(options.max_responses >= 0, "the number of responses must not be negative");
  require(options.policy != StepPolicy::respond || options.respond,
          "the policy `respond` needs a function that responds");
}

}  // namespace

Stepper::Stepper(World& world) : data_(std::make_unique<Data>(DataAccess::mutable_data(world))) {}
Stepper::~Stepper() = default;
Stepper::Stepper(Stepper&&) noexcept = default;
Stepper& Stepper::operator=(Stepper&&) noexcept = default;

void Stepper::move(NodeId node, const Motion& motion) { data_->register_motion(node, motion); }

void Stepper::forget() { data_->memory.forget(); }

const StepResult& Stepper::run(const StepOptions& options) {
  // The motions are forgotten whatever happens.
  struct End {
    Data& data;
    ~End() { data.end_step(); }
  } const end{*data_};
  check(options);
  return data_->run(options);
}

const StepResult& Stepper::Data::run(const StepOptions& with) {
  options = &with;
  result.groups.clear();
  result.contacts.clear();
  result.undecided.clear();
  result.free_until = 1;
  result.stats = {};
  for (const Group& group : groups) result.groups.push_back({group.node});
  begin_step();
  ask_all();
  switch (with.policy) {
    case StepPolicy::report:
      report();
      break;
    case StepPolicy::together:
      stop_together();
      break;
    case StepPolicy::each:
    case StepPolicy::respond:
      stop_each();
      break;
  }
  return result;
}

}  // namespace touche
