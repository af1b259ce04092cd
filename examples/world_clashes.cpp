// SPDX-License-Identifier: Apache-2.0
// Which of many bodies touch, and which are nearer than wanted? A row of frames with a bar in each,
// one of which is pushed aside.
// usage: world_clashes [folder with bar.obj and frame.obj]
#include <touche/io.h>
#include <touche/world.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "examples";
  const touche::Object bar = touche::load(folder / "bar.obj");
  const touche::Object frame = touche::load(folder / "frame.obj");

  // A station is a group of a frame and a bar; objects are shared, and frames stand still.
  touche::World world;
  std::vector<touche::NodeId> bars;
  for (int i = 0; i < 5; ++i) {
    const touche::NodeId station =
        world.add_group(touche::Pose::from_translation({60.0 * i, 0, 0}));
    world.add(frame, {}, {.fixed = true}, station, "frame " + std::to_string(i));
    bars.push_back(world.add(bar, {}, {}, station, "bar " + std::to_string(i)));
  }
  world.set_local_pose(bars[3], touche::Pose::from_translation({0.08, 0, 0}));

  const touche::TouchingPairs touching = world.touching_pairs();
  for (const touche::TouchingPair& pair : touching.pairs)
    std::printf("%s touches %s\n", world.name(pair.a).c_str(), world.name(pair.b).c_str());
  const touche::NearPairs near = world.near_pairs(0.1);
  for (const touche::NearPair& pair : near.pairs)
    std::printf("%s and %s are %.3f mm apart\n", world.name(pair.a).c_str(),
                world.name(pair.b).c_str(), pair.distance.upper);
  return touching.pairs.size() == 1 && near.pairs.size() == 5 ? 0 : 1;
}
