// SPDX-License-Identifier: Apache-2.0
#include "drawing_options.h"

#include "length.h"

namespace touche::cli {

void DrawingOptions::add_to(Command& command) {
  constexpr const char* kGroup = "Drawings";
  command
      .add("--chord-error", chord_error,
           "Length by which curves may be off (default: 1e-4 of the drawing's size)")
      .positive()
      .type_name("LENGTH")
      .group(kGroup);
  command
      .add("--join-gap", join_gap,
           "Ends of lines and arcs that are no farther apart are joined (default: 1e-5 of the "
           "drawing's size)")
      .type_name("LENGTH")
      .group(kGroup);
  command.add("--layers", layers, "Read only these layers, by commas")
      .list()
      .type_name("NAME")
      .group(kGroup);
  command.flag("--all-layers", all_layers, "Read layers that are frozen, off or hidden, too")
      .group(kGroup);
  command.flag("--drop-open", drop_open, "Leave out chains that are open").group(kGroup);
  command
      .add("--drop-loops-below", drop_loops_below,
           "Leave out closed chains whose box has a shorter diagonal")
      .type_name("LENGTH")
      .group(kGroup);
}

OutlineOptions DrawingOptions::outline_options(double scale) const {
  const auto length = [](const std::string& text, const char* option) {
    if (text.empty()) return 0.0;
    const double value = parse_length(text, "mm", option);
    if (!(value > 0)) throw InvalidInput(std::string(option) + ": " + text + " is not more than 0");
    return value;
  };
  return {.scale = scale,
          .chord_error = chord_error,
          .join_gap = length(join_gap, "--join-gap"),
          .layers = layers,
          .all_layers = all_layers,
          .drop_open = drop_open,
          .drop_loops_below = length(drop_loops_below, "--drop-loops-below")};
}

void DrawingOptions::refuse(const std::string& why) const {
  const auto check = [&](bool given, const char* option) {
    if (given) throw InvalidInput(option + (" " + why));
  };
  check(chord_error > 0, "--chord-error");
  check(!join_gap.empty(), "--join-gap");
  check(!layers.empty(), "--layers");
  check(all_layers, "--all-layers");
  check(drop_open, "--drop-open");
  check(!drop_loops_below.empty(), "--drop-loops-below");
}

}  // namespace touche::cli
