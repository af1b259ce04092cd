// SPDX-License-Identifier: Apache-2.0
// Closed chains that are drawn a second time: a circle beside the two arcs of it, a border on two
// layers. By the even-odd rule the two would enclose nothing, or the sliver between their chords.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "touche/plane.h"

namespace touche::io {

/// Says how far a chain of a drawing may be off from what it stands for.
struct ChainError {
  double chords = 0;  ///< length; of the curves in it, 0 where it has none
  double ends = 0;    ///< length; of points that are meant to be the same
};

/// Marks closed chains as drawn again that follow an earlier closed chain all along, each of the
/// two within the larger error of the other, and enclose as much as that within as little:
/// with another start, direction or subdivision. Those that are too thin to be told from two side
/// by side both count, and a sentence says so. One time is left of a chain that runs around several
/// times, point for point. Returns a sentence for each, and one where it gave up: work is in
/// proportion to the number of points.
std::vector<std::string> mark_drawn_again(std::vector<plane::Chain>& chains,
                                          std::span<const ChainError> errors);

}  // namespace touche::io
