// SPDX-License-Identifier: Apache-2.0
// Results of clash checks are opened with the parts that were checked.
#include <gtest/gtest.h>

#include "study_files.h"
#include "touche/clash.h"
#include "viewer/opened.h"

namespace touche::viewer_open_test {
namespace {

TEST(ViewerOpen, TheFilesOfAClashResultAreSplitAsTheyWere) {
  const test::StudyFolder folder("view-split");
  folder.write("multi.obj",
               "o crank\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
               "o rod\nv 0 0 1\nv 1 0 1\nv 0 1 1\nf 4 5 6\n");
  const ClashParts parts =
      load_clash_parts({folder.path() / "multi.obj"}, {.split = Split::objects});
  const std::string result = clash_json(find_clashes(parts));
  folder.write("result.json", result);
  const viewer::Opened opened = viewer::open_inputs({folder.path()});
  ASSERT_EQ(opened.parts.size(), 2U);
  EXPECT_EQ(opened.parts[0].name, "crank");
  EXPECT_EQ(opened.parts[1].name, "rod");

  test::Json wrong = test::Json::parse(result);
  wrong["assembly"]["split"] = "halves";
  folder.write("result.json", wrong.dump());
  try {
    (void)viewer::open_inputs({folder.path()});
    ADD_FAILURE() << "opened";
  } catch (const LoadError& error) {
    EXPECT_EQ(error.place(), "/assembly/split");
  }
}

}  // namespace
}  // namespace touche::viewer_open_test
