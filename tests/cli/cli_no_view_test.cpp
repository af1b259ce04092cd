// SPDX-License-Identifier: Apache-2.0
// `touche view` in a program that was built without its viewer.
#include <gtest/gtest.h>

#include "cli_run.h"

namespace touche::cli_no_view_test {
namespace {

TEST(CliNoView, SaysWhatItWasBuiltWithout) {
  const test::StudyFolder folder("cli-no-view");
  for (const char* arguments : {"view", "view study.json --port 8080", "view --no-browser -x"}) {
    const test::Outcome outcome = test::touche_cli(folder, arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_TRUE(test::has(outcome.err, "touche: view: this program was built without its viewer"))
        << outcome.err;
    EXPECT_TRUE(test::has(outcome.err, "./dev view")) << outcome.err;
  }
}

}  // namespace
}  // namespace touche::cli_no_view_test
