// SPDX-License-Identifier: Apache-2.0
// Pairs of meshes as in practical use, not in tidy tests, each at many relative poses or in many
// motions. Tests use small ones, benchmarks large ones.
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
  /// Makes meshes of about `triangles` triangles, if their number is variable, at `poses` poses.
  Workload (*make)(Index triangles, int poses);
  bool about_half_hit;  ///< else none does
};

/// All of them, the same each time.
const std::vector<NamedWorkload>& workloads();

/// Both bodies from one pose to another, in between with Motion::interpolated.
struct PairMotion {
  Pose a_start, a_end;
  Pose b_start, b_end;
};

struct MovingWorkload {
  PolygonSoup a, b;  ///< triangles only
  std::vector<PairMotion> motions;
  double tolerance;  ///< of the time of impact, as a length
};

struct NamedMovingWorkload {
  std::string name;
  /// Makes meshes of about `triangles` triangles, if their number is variable, in `motions`
  /// motions, about half of which end in contact.
  MovingWorkload (*make)(Index triangles, int motions);
};

/// All of them, the same each time.
const std::vector<NamedMovingWorkload>& moving_workloads();

}  // namespace touche::scenes
