// SPDX-License-Identifier: Apache-2.0
// Pairs of meshes as queries meet them outside of tidy tests, each at many relative poses. Tests
// ask small ones, benchmarks large ones.
#pragma once

#include <string>
#include <vector>

#include "touche/pose.h"
#include "touche/soup.h"

namespace touche::scenes {

struct Workload {
  PolygonSoup a, b;         ///< triangles only
  std::vector<Pose> poses;  ///< of b in the frame of a
};

struct NamedWorkload {
  std::string name;
  /// Meshes of about so many triangles, where their number is open, at so many poses.
  Workload (*make)(Index triangles, int poses);
  bool about_half_hit;  ///< else none does
};

/// All of them, the same each time.
const std::vector<NamedWorkload>& workloads();

}  // namespace touche::scenes
