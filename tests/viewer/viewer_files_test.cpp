// SPDX-License-Identifier: Apache-2.0
// Files that the viewer writes are whole, or leave nothing behind.
#include <gtest/gtest.h>

#include <algorithm>

#include "study_files.h"
#include "viewer/clash_notes.h"
#include "viewer/opened.h"
#include "viewer/recorder.h"

namespace touche::viewer_files_test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(ViewerFiles, NotesAreWholeOrNotThere) {
  const test::StudyFolder files("viewer-notes");
  const fs::path folder = files.path() / "notes", file = folder / "notes.json";
  fs::create_directories(folder);
  viewer::ClashNotes notes(file);
  notes.set("b", "a", "seal", true);
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"notes.json"});
  ASSERT_NE(viewer::ClashNotes(file).find("a", "b"), nullptr);
  EXPECT_EQ(viewer::ClashNotes(file).find("a", "b")->text, "seal");
  // A folder lies where the file should be.
  fs::remove(file);
  fs::create_directories(file / "full");
  EXPECT_THROW(notes.set("a", "c", "gap", false), LoadError);
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"notes.json"});
}

TEST(ViewerFiles, RecordingsLeaveNoUnfinishedFiles) {
  const test::StudyFolder files("viewer-recorded");
  const viewer::Opened opened =
      viewer::open_inputs({files.path() / "cube.off", files.path() / "wall.off"});
  const fs::path folder = files.path() / "recording";
  fs::create_directories(folder / "path-1.csv" / "full");
  viewer::Recorded recorded;
  recorded.tracks.push_back(
      {opened.parts[0].node, {{0, 1}, {Pose(), Pose::from_translation({1, 0, 0})}}});
  recorded.carried_by = {0, kNone};
  recorded.places = {Pose(), Pose()};
  EXPECT_THROW((void)viewer::save_recording(opened, recorded, 1e-3, folder), LoadError);
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"mesh-1.obj", "mesh-2.obj", "path-1.csv"}));
  fs::remove_all(folder / "path-1.csv");
  const fs::path study = viewer::save_recording(opened, recorded, 1e-3, folder);
  EXPECT_EQ(names_in(folder),
            (std::vector<std::string>{"mesh-1.obj", "mesh-2.obj", "path-1.csv", "study.json"}));
  EXPECT_EQ(load_study(study).groups.size(), 1u);
}

}  // namespace
}  // namespace touche::viewer_files_test
