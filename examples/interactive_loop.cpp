// SPDX-License-Identifier: Apache-2.0
// Sixty times a second a hand pulls a bar through a frame, and never into it: each step is proved
// within its budget, and ends where the bar is free.
// usage: interactive_loop [folder with bar.obj and frame.obj]
#include <touche/io.h>
#include <touche/step.h>

#include <chrono>
#include <cstdio>
#include <filesystem>

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "examples";
  touche::World world;
  const touche::NodeId bar = world.add(touche::load(folder / "bar.obj"), {}, {}, {}, "bar");
  world.add(touche::load(folder / "frame.obj"), {}, {.fixed = true}, {}, "frame");

  touche::Stepper stepper(world);
  int held_back = 0, frames = 0;
  for (; frames < 120; ++frames) {
    const double t = frames / 120.0;
    // A careless hand pulls up and to the side; then it yields.
    const double side = t < 0.5 ? 30 * t : 0;
    const touche::Pose hand = touche::Pose::from_translation({side, 0, 200 * t});
    stepper.move(bar, touche::Motion::interpolated(world.pose(bar), hand));
    const auto deadline = touche::Budget::Clock::now() + std::chrono::milliseconds(14);
    const touche::StepResult& step = stepper.run(
        {.tolerance = 0.01, .policy = touche::StepPolicy::each, .budget = {.deadline = deadline}});
    if (step.groups[0].reached < 1 && held_back++ == 0)
      for (const touche::StepPair& contact : step.contacts)
        std::printf("frame %d: the %s is held back by the %s\n", frames,
                    world.name(contact.a).c_str(), world.name(contact.b).c_str());
  }
  const touche::Vec3 end = world.pose(bar).translation();
  std::printf("held back in %d of %d frames, then free at height %.0f\n", held_back, frames,
              end[2]);
  return held_back > 0 && end[2] > 100 ? 0 : 1;
}
