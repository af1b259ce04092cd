// SPDX-License-Identifier: Apache-2.0
// A hand pulls a bar out of a frame that leaves it 0.05 mm on each side. The hand is 3 mm off the
// free path and shakes; the bar slides along the frame, and the contact forces are reported.
// usage: drag_a_part [folder with bar.obj and frame.obj]
#include <touche/handling.h>
#include <touche/io.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "examples";
  touche::World world;
  const touche::NodeId bar = world.add(touche::load(folder / "bar.obj"), {}, {}, {}, "bar");
  world.add(touche::load(folder / "frame.obj"), {}, {.fixed = true}, {}, "frame");

  // Forces in newtons: the hand's spring has 2 N per mm.
  touche::Handling hand(world, bar, {.tolerance = 1e-3, .clearance = 2e-3, .stiffness = 2});
  int held_back = 0;
  double strongest = 0;
  for (int frame = 0; frame <= 120; ++frame) {
    const double shake = 0.02 * std::sin(frame);  // radians
    const touche::Pose wanted =
        touche::Pose::from_axis_angle({0, 0, 1}, shake, {3, 0, 0.5 * frame});
    const touche::HandlingStep& step = hand.step(wanted);
    held_back += step.status == touche::HandlingStatus::held_back;
    strongest = std::max(strongest, step.force.norm());
  }
  const touche::Vec3 end = world.pose(bar).translation();
  std::printf("held back in %d of 121 frames, by %.1f N at most\n", held_back, strongest);
  std::printf("in the end at height %.1f, %.2f to the side\n", end[2], end[0]);
  return held_back > 0 && end[2] > 55 ? 0 : 1;
}
