// SPDX-License-Identifier: Apache-2.0
// A peg moves down into a hole that is a little too narrow at the bottom: where does it touch, for
// how long, how large is the overlap, and how much clearance is there before?
#include <touche/touche.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace {

// Several boxes, given by two corners each, as one object.
touche::Object boxes(const std::vector<std::array<touche::Vec3, 2>>& list, const char* name) {
  std::vector<double> coordinates;
  std::vector<touche::Index> corners;
  const std::array<touche::Index, 24> faces = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                               2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
  for (const auto& box : list) {
    const auto first = static_cast<touche::Index>(coordinates.size() / 3);
    for (std::size_t v = 0; v < 8; ++v)
      for (std::size_t k = 0; k < 3; ++k)
        coordinates.push_back(box[v >> k & 1][static_cast<int>(k)]);
    for (const touche::Index corner : faces) corners.push_back(first + corner);
  }
  const std::vector<touche::Index> sizes(6 * list.size(), 4);
  return touche::Object(touche::PolygonSoup(coordinates, corners, sizes), name);
}

}  // namespace

int main() {
  using touche::Vec3;
  const touche::Object peg = boxes({{Vec3(-5, -5, 0), Vec3(5, 5, 30)}}, "peg");
  // Two walls, 10.4 mm apart above and 9.8 mm below.
  const touche::Object hole = boxes({{Vec3(5.2, -9, -20), Vec3(9, 9, 0)},
                                     {Vec3(-9, -9, -20), Vec3(-5.2, 9, 0)},
                                     {Vec3(4.9, -9, -40), Vec3(9, 9, -20.5)},
                                     {Vec3(-9, -9, -40), Vec3(-4.9, 9, -20.5)}},
                                    "hole");
  const touche::Motion down = touche::Motion::interpolated(
      touche::Pose::from_translation({0, 0, 5}), touche::Pose::from_translation({0, 0, -25}));
  const touche::PathResult r =
      touche::path(peg, down, hole, touche::Motion::at({}), {.tolerance = 1e-4});

  std::printf("%s\n", name(r.verdict).data());
  for (const touche::ContactInterval& c : r.contacts)
    std::printf("contact from t = %.4f to %.4f, up to %.2f mm thick\n", c.start.upper, c.end.lower,
                c.deepest.diameter.lower);
  double room = touche::kInfinity;  // before the contact, except for its last two millimetres
  for (const touche::ClearanceSample& s : r.samples)
    if (s.t < r.contacts.at(0).start.lower - 2.0 / 30) room = std::min(room, s.clearance.lower);
  std::printf("at least %.2f mm of room before, proved\n", room);
  const bool right = r.verdict == touche::PathVerdict::clash && r.contacts.size() == 1 &&
                     r.contacts[0].deepest.diameter.lower > 0.08 && room > 0.09 && room <= 0.2;
  return right ? 0 : 1;
}
