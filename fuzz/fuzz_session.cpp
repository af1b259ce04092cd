// SPDX-License-Identifier: Apache-2.0
// libFuzzer: recorded steps that were altered and given right checksums are refused with a
// LoadError, or taken. The input is a list of changes to a good file, 6 bytes each: which four
// bytes (2), and what they become (4). Needs no seeds.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "shapes.h"
#include "signed_session.h"
#include "touche/step.h"

namespace {

using namespace touche;

const std::filesystem::path& place() {
  static const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("touche-fuzz-" + std::to_string(::getpid()));
  return path;
}

// Two steps of two cubes, one of which hangs on a group; they meet in the second.
std::string good_file() {
  const Object cube(scenes::box(Vec3::Zero(), Vec3::Ones(), 1), "cube");
  World world;
  const NodeId group = world.add_group(), part = world.add(cube, {}, {}, group);
  world.add(cube, Pose::from_translation({2, 0, 0}));
  Stepper stepper(world);
  stepper.record(place());
  for (const double x : {0.5, 2.0}) {
    stepper.move(group, Motion::screw(world.pose(group), {x, 1, 0}, {1, 0, 0}, x, x));
    StepOptions options;
    options.tolerance = 1e-3;
    options.policy = StepPolicy::each;
    options.events = true;
    (void)stepper.run(options);
    world.set_pose(part, Pose::from_translation({x, 0, 0.5}));
  }
  stepper.record({});
  std::ifstream in(place(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string good = good_file();
  std::string file = good;
  for (; size >= 6; data += 6, size -= 6) {
    std::uint16_t word;
    std::memcpy(&word, data, sizeof word);
    std::memcpy(file.data() + 4 * (word % (file.size() / 4)), data + 2, 4);
  }
  test::sign_session(file);
  std::ofstream(place(), std::ios::binary) << file;
  try {
    SessionReplay replay(place());
    while (replay.next(1) != nullptr) {
    }
  } catch (const LoadError&) {
  }
  return 0;
}
