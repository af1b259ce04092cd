// SPDX-License-Identifier: Apache-2.0
// A case to measure: two meshes, the poses they are put in, and the motions they make.
#pragma once

#include <string>
#include <vector>

#include "touche/pose.h"
#include "touche/soup.h"

namespace touche::scenes {
struct NamedWorkload;
struct NamedMovingWorkload;
}  // namespace touche::scenes

namespace touche::bench {

struct PosePair {
  Pose a, b;
};

/// Linear translation and slerp from one placement to the next.
struct Sweep {
  PosePair start, end;
  int samples = 4001;  ///< for peers that test single poses
};

struct Case {
  std::string name;
  PolygonSoup a, b;  ///< triangles only
  std::vector<PosePair> placements{};
  std::vector<Sweep> sweeps{};
  double tolerance = 0;   ///< of the time of impact
  std::string without{};  ///< a peer that would take hours
};

Case bumpy_spheres(Index triangles);
Case torus_knots();

/// Two spheres of 70,000 triangles pass each other 300 times, b turning by up to `most_turn`
/// radians; two thirds of the times they meet.
Case passing_spheres(double most_turn);

/// One of scenes/workloads.h, with about 20,000 triangles in each mesh, at 30 poses.
Case workload(const scenes::NamedWorkload& named);
/// The same in 40 motions.
Case workload(const scenes::NamedMovingWorkload& named);

/// The recorded poses and the steps between them of each thing taken out of the headlamp, against
/// everything that stays where it is.
std::vector<Case> headlamp_steps();

}  // namespace touche::bench
