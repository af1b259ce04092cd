// SPDX-License-Identifier: Apache-2.0
// The options of all commands that read drawings.
#pragma once

#include <string>
#include <vector>

#include "program.h"
#include "touche/outline_file.h"

namespace touche::cli {

/// Filled in when the command line is parsed.
struct DrawingOptions {
  double chord_error = 0;
  std::string join_gap, drop_loops_below;  // lengths, in mm if no unit is given
  std::vector<std::string> layers;
  bool all_layers = false, drop_open = false;

  void add_to(Command& command);
  /// Throws InvalidInput naming the option.
  OutlineOptions outline_options(double scale = 1) const;
  /// Throws InvalidInput if an option is given: "<option> <why>".
  void refuse(const std::string& why) const;
};

}  // namespace touche::cli
