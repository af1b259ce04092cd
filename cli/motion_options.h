// SPDX-License-Identifier: Apache-2.0
// The motion of one object, as command-line options.
#pragma once

#include <string>
#include <vector>

#include "program.h"
#include "touche/motion.h"

namespace touche::cli {

struct MotionOptions {
  std::string from, to, screw, turn, interpolation = "slerp";

  void add_to(Command& command);
  /// Throws InvalidInput naming the option.
  Motion motion() const;
  /// At least the number of turns of the motion.
  double most_turns() const;
  /// Doubts about the poses: a quaternion that may be in another order.
  std::vector<std::string> remarks() const;
};

}  // namespace touche::cli
