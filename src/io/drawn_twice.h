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

/// Marks closed chains that repeat an earlier closed chain: each of the two lies within the larger
/// error of the other, and their areas differ accordingly little. Start, direction and subdivision
/// may differ. Chains too thin to be distinguished from two adjacent ones both count, with a
/// remark. A chain that runs around several times, point for point, is reduced to one round.
/// Returns a sentence for each case, and one if the search gave up, because work is limited in
/// proportion to the number of points.
std::vector<std::string> mark_drawn_again(std::vector<plane::Chain>& chains,
                                          std::span<const ChainError> errors);

}  // namespace touche::io
