// SPDX-License-Identifier: Apache-2.0
// Mesh files: write a triangle, read it back, and see a missing file refused.
#include <touche/io.h>
#include <touche/touche.h>

#include <array>
#include <cstdio>

int main() {
  const std::array<double, 9> coordinates = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const std::array<touche::Index, 3> corners = {0, 1, 2};
  touche::save(touche::PolygonSoup(coordinates, corners), "triangle.off");
  const touche::Object triangle = touche::load("triangle.off", {.scale = 2});
  std::printf("%s reaches to x = %g\n", triangle.name().c_str(), triangle.bounds().hi.x());
  try {
    (void)touche::load("missing.off");
    return 1;
  } catch (const touche::LoadError& error) {
    std::printf("refused: %s\n", error.what());
  }
  return triangle.bounds().hi.x() == 2 ? 0 : 1;
}
