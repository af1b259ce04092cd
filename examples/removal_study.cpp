// SPDX-License-Identifier: Apache-2.0
// A removal study put together in C++: a bar is drawn out of a frame, once straight, once with a
// twist of a hand that is just too much.
// usage: removal_study [folder with bar.obj and frame.obj]
#include <touche/io.h>
#include <touche/study.h>

#include <cstdio>
#include <filesystem>
#include <utility>
#include <vector>

namespace {

touche::StudyVerdict draw_out(const std::vector<touche::Object>& parts, double twist) {
  const std::vector<touche::Pose> poses = {
      {},
      touche::Pose::from_axis_angle(touche::Vec3::UnitZ(), twist, {0, 0, 20}),
      touche::Pose::from_translation({0, 0, 60})};

  touche::Study study;
  study.title = "Bar out of frame";
  study.unit = "mm";
  study.tolerance = 1e-3;
  study.clearance = 1;
  study.times = {0, 0.5, 1};
  study.parts.resize(2);
  study.parts[0].name = "bar";
  study.parts[1].name = "frame";
  study.groups.push_back({"bar", {0}, touche::Motion::through(poses), study.times});

  const touche::StudyResult result = touche::run_study(std::move(study), parts);
  std::printf("twist %.3f: %s\n", twist, touche::verdict_sentence(result).c_str());
  for (const touche::Clearance& clearance : result.clearances) {
    std::printf("  %.3f mm at s = %g\n", clearance.distance, result.study.times[clearance.pose]);
  }
  return result.verdict;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "examples";
  const std::vector<touche::Object> parts = {touche::load(folder / "bar.obj"),
                                             touche::load(folder / "frame.obj")};
  const bool right = draw_out(parts, 0.001) == touche::StudyVerdict::free &&
                     draw_out(parts, 0.01) == touche::StudyVerdict::contact;
  return right ? 0 : 1;
}
