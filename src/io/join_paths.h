// SPDX-License-Identifier: Apache-2.0
// Many programs draw an outline as separate lines and arcs whose ends meet: these become one path.
#pragma once

#include <string>
#include <vector>

#include "io/drawing.h"

namespace touche::io {

struct Joining {
  std::size_t joined = 0;    ///< paths that became part of a longer one, or a closed one
  double widest_gap = 0;     ///< bridged by an edge between two ends
  std::size_t repeated = 0;  ///< lines and curves that were drawn before, and are left out
  std::size_t looks = 0;     ///< from one end at another: few for each end, whatever the file
};

/// Joins open paths of one name where exactly two ends meet: first coinciding ends, then ends no
/// farther apart than `gap`. No point moves: a gap is bridged by a line. Where more than two ends
/// meet, the pairing is ambiguous and nothing is joined. Therefore an identical line or curve that
/// is drawn a second time in one name, in either direction, is removed first. A joined path takes
/// the position in the list and the direction of its first part. Points, in paths and alone, are
/// unchanged. Takes n log n time.
Joining join_paths(std::vector<Path>& paths, double gap);

/// Closes each path that comes back to where it began, within `gap`.
Joining close_paths(std::vector<Path>& paths, double gap);

}  // namespace touche::io
