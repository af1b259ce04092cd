// SPDX-License-Identifier: Apache-2.0
// Within a time step every vertex of a sheet moves straight. When does the sheet first touch
// itself, and how far may the step go?
#include <touche/self_contact.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  // A strip of 2 × 40 vertices, which rolls up.
  const std::size_t length = 40;
  const double radius_end = 1.0;
  std::vector<double> flat, rolled;
  for (std::size_t i = 0; i < length; ++i)
    for (const double y : {0.0, 0.2}) {
      const double x = 0.2 * static_cast<double>(i), angle = x / radius_end;
      flat.insert(flat.end(), {x, y, 0});
      rolled.insert(rolled.end(),
                    {radius_end * std::sin(angle), y, radius_end * (1 - std::cos(angle))});
    }
  std::vector<touche::Index> triangles;
  for (touche::Index i = 0; i + 1 < length; ++i) {
    const touche::Index a = 2 * i;
    triangles.insert(triangles.end(), {a, a + 2, a + 1, a + 1, a + 2, a + 3});
  }
  touche::SelfContact sheet(touche::PolygonSoup(flat, triangles));
  const touche::SelfImpact hit = sheet.first_contact(flat, rolled, {.clearance = 0.01});
  if (!hit.contact) {
    std::printf("the whole step is free\n");
    return 1;
  }
  std::printf("the step is free until t = %.4f; then %s come within 0.01\n", hit.t,
              hit.edges ? "two edges" : "a vertex and a face");
  return hit.t > 0.3 && hit.t < 0.7 ? 0 : 1;
}
