// SPDX-License-Identifier: Apache-2.0
// A clash check of parts put together by hand: a bar in its frame, once centred, once pushed aside.
// usage: clash_check [folder with bar.obj and frame.obj]
#include <touche/clash.h>
#include <touche/io.h>

#include <cstdio>
#include <filesystem>
#include <utility>

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "examples";
  touche::ClashParts parts;
  parts.unit = "mm";
  parts.objects = {touche::load(folder / "bar.obj"), touche::load(folder / "frame.obj")};
  parts.parts = {{"left/bar", "left", 0, {}}, {"left/frame", "left", 1, {}}};
  parts.parts.push_back({"right/bar", "right", 0, touche::Pose::from_translation({60.08, 0, 0})});
  parts.parts.push_back({"right/frame", "right", 1, touche::Pose::from_translation({60, 0, 0})});

  const touche::ClashResult result = touche::find_clashes(std::move(parts), {.clearance = 0.1});
  std::printf("%s\n", touche::clash_sentence(result).c_str());
  return result.count(touche::ClashPairVerdict::clash) == 1 &&
                 result.count(touche::ClashPairVerdict::near) == 1
             ? 0
             : 1;
}
