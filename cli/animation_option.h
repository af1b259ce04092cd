// SPDX-License-Identifier: Apache-2.0
// The options --animation and --at: where an animation of a glTF file has its parts.
#pragma once

#include <optional>
#include <string>

#include "program.h"
#include "touche/io.h"

namespace touche::cli {

struct AnimationOption {
  std::string name;
  double at = 0;

  /// Adds both options; `suffix` is "-a", "-b" or empty.
  void add_to(Command& command, const std::string& suffix, const std::string& whose) {
    add_name(command, suffix, whose);
    command.add(("--at" + suffix).c_str(), at, "Of this animation: the time (default: 0)")
        .type_name("SECONDS");
  }
  void add_name(Command& command, const std::string& suffix, const std::string& whose) {
    command
        .add(("--animation" + suffix).c_str(), name,
             "Animation of " + whose + " that says where nodes are (glTF; default: at rest)")
        .type_name("NAME");
  }
  /// Throws InvalidInput for a time without an animation.
  std::optional<AnimationTime> time(const std::string& suffix = "") const {
    if (!name.empty()) return AnimationTime{name, at};
    if (at != 0) throw InvalidInput("--at" + suffix + ": a time of --animation" + suffix);
    return std::nullopt;
  }
};

}  // namespace touche::cli
