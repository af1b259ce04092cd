// SPDX-License-Identifier: Apache-2.0
#include "tree_options.h"

#include <algorithm>

#include "directions.h"
#include "touche/methods/cost_file.h"

namespace touche::cli {

void TreeInput::add_to(Command& command) {
  TreeOptions& o = options_;
  const auto number = [&](const char* name, auto& value, const char* help) -> Option& {
    return others_.emplace_back(command.add(name, value, help));
  };
  const std::string volumes = volume_list();
  const auto take_volume = [&o, volumes](const std::string& name) {
    const std::string_view volume = volume_of_name(name);
    if (volume.empty()) return "\"" + name + "\" is not one of " + volumes;
    o.volume = volume;
    return std::string();
  };

  method_ = add_choice(command, "--method", o.method, "Make a volume tree, divided by");
  method_.group("Volume tree");
  others_.push_back(
      command.choice("--volume", take_volume, "Its volumes: " + volumes).type_name("NAME"));
  others_.push_back(add_directions(command, directions_));
  number("--degree", o.degree, "Children of a node, or with --improve at most").range(2, 8);
  number("--improve", o.improvement, "Take the least degree that improves by this factor")
      .range(0, 1);
  number("--min-split-faces", o.min_split_faces,
         "Divide a set of this many faces even if no degree improves it")
      .at_least(0);
  number("--leaf-faces", o.leaf_faces, "A set of this many faces is a leaf").at_least(1);
  number("--max-faces", o.max_faces,
         "A larger set that the method cannot divide is halved; 0: never")
      .at_least(0);
  number("--max-depth", o.max_depth, "There every set is a leaf").range(0, 1000);
  others_.push_back(add_choice(command, "--quality", o.quality, "What is small in a good volume"));
  others_.push_back(add_choice(command, "--combine", o.combine, "Quality of several volumes"));
  others_.push_back(command.add("--costs", costs_, "What tests cost, as JSON; for mixed volumes")
                        .type_name("FILE"));
  others_.push_back(
      add_choice(command, "--start", o.start, "insertion: what its parts begin with"));
  others_.push_back(add_choice(command, "--order", o.order, "insertion: which face is next"));
  others_.push_back(
      add_choice(command, "--branching", o.branching, "branch_and_bound: which face is next"));
  others_.push_back(add_choice(command, "--exploration", o.exploration,
                               "branch_and_bound: which problem is next"));
  number("--max-problems", o.max_problems, "branch_and_bound: most problems examined for a node")
      .at_least(1);
  number("--seed", o.seed, "Of all that is random").at_least(0);
  for (Option& option : others_) option.group("Volume tree");
}

bool TreeInput::wanted() const {
  if (method_.given()) return true;
  for (const Option& option : others_)
    if (option.given())
      throw InvalidInput(option.name() + " is for volume trees: give their --method too");
  return false;
}

TreeOptions TreeInput::options() const {
  if ((options_.volume == "dop") != !directions_.empty())
    throw InvalidInput("--volume dop and --directions belong together");
  TreeOptions options = options_;
  if (!costs_.empty()) options.costs = load_costs(costs_);
  if (!directions_.empty()) options.directions = load_directions(directions_);
  return options;
}

}  // namespace touche::cli
