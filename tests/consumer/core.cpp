// SPDX-License-Identifier: Apache-2.0
// The core alone: two triangles, one falling on the other.
#include <touche/touche.h>

#include <array>
#include <cstdio>

int main() {
  const std::array<double, 9> coordinates = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const std::array<touche::Index, 3> corners = {0, 1, 2};
  const touche::Object triangle(touche::PolygonSoup(coordinates, corners), "triangle");

  const touche::Pose above = touche::Pose::from_translation({0, 0, 3});
  const touche::Pose below = touche::Pose::from_translation({0, 0, -1});
  const touche::ToiResult fall =
      touche::time_of_impact(triangle, touche::Motion::interpolated(above, below), triangle,
                             touche::Motion::at({}), {.tolerance = 1e-6});
  std::printf("touché %s: %s, free until %.6f, touched at %.6f\n", touche::kVersion,
              name(fall.status).data(), fall.time.lower, fall.time.upper);
  const bool right = fall.status == touche::ToiStatus::contact && fall.time.lower <= 0.75 &&
                     fall.time.lower > 0.7499 && fall.time.upper < 0.7501 &&
                     touche::intersects(triangle, {}, triangle, {});
  return right ? 0 : 1;
}
