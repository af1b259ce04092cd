// SPDX-License-Identifier: Apache-2.0
#include "base/file_kind.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/ending.h"
#include "temporary_folder.h"

namespace touche {
namespace {

TEST(FileKind, TellsWhyWhatIsNoFileIsNotRead) {
  const test::TemporaryFolder folder;
  const auto path = [&](const char* name) { return folder.path() / name; };
  std::ofstream(path("mesh.obj")) << "v 0 0 0\n";
  EXPECT_EQ(base::why_no_file(path("mesh.obj")), "");
  EXPECT_EQ(base::why_no_file_named(path("mesh.obj")), "");
  EXPECT_EQ(base::why_no_file(path("none.obj")), "the file does not exist");
  EXPECT_EQ(base::why_no_file(folder.path()), "this is a directory");
  EXPECT_EQ(base::why_no_file("/dev/null"), "this is a device, not a file");
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(base::why_no_file(path("pipe")), "this is a pipe, not a file");
  EXPECT_EQ(base::why_no_file_named(path("pipe")),
            path("pipe").string() + ": this is a pipe, not a file");
  // A link is what it leads to.
  std::filesystem::create_symlink(path("mesh.obj"), path("link"));
  EXPECT_EQ(base::why_no_file(path("link")), "");
  std::filesystem::create_symlink(path("none.obj"), path("dangling"));
  EXPECT_EQ(base::why_no_file(path("dangling")), "the file does not exist");
  // A file is no folder.
  EXPECT_NE(base::why_no_file(path("mesh.obj") / "inner"), "");
}

TEST(Endings, AreComparedWithoutTheirCase) {
  EXPECT_EQ(base::ending_of("folder.d/PART.OBJ"), ".obj");
  EXPECT_EQ(base::ending_of("archive.tar.GZ"), ".gz");
  EXPECT_EQ(base::ending_of("README"), "");
  EXPECT_EQ(base::in_small_letters("ÄzZ19"), "Äzz19");  // letters beyond ASCII stay
}

}  // namespace
}  // namespace touche
