// SPDX-License-Identifier: Apache-2.0
// A small scene to start from.
#pragma once

#include "study_files.h"

namespace touche::test {

/// A ball of one metre (an octahedron) falls on a plate, beside a box that is pushed.
inline Json falling_scene() {
  return Json::parse(R"({
    "touche_scene": 1, "title": "Two fall on a plate", "unit": "m", "duration": 0.5, "tolerance": 1e-3,
    "density": 1000, "friction": 0.3,
    "bodies": [
      {"name": "plate", "box": [10, 10, 1], "fixed": true, "pose": {"translation": [0, 0, -0.5]}},
      {"name": "ball", "file": "ball.off", "scale": 0.5, "restitution": 0.5,
       "pose": {"translation": [0, 0, 1]}, "velocity": [0, 0, -1], "angular_velocity": [0, 1, 0]},
      {"name": "box", "box": [1, 1, 1], "mass": 3, "pose": {"translation": [3, 0, 0.6]}}],
    "forces": [{"body": "box", "force": [3, 0, 0], "torque": [0, 0, 0.1], "start": 0.1, "end": 0.4}]
  })");
}

inline const char* const kOctahedronOff =
    "OFF\n6 8 12\n1 0 0\n-1 0 0\n0 1 0\n0 -1 0\n0 0 1\n0 0 -1\n3 0 2 4\n3 2 1 4\n3 1 3 4\n3 3 0 4\n"
    "3 2 0 5\n3 1 2 5\n3 3 1 5\n3 0 3 5\n";

}  // namespace touche::test
