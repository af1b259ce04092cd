// SPDX-License-Identifier: Apache-2.0
// `touche evaluate` that is stopped.
#include <gtest/gtest.h>

#include <chrono>

#include "interrupted_cli.h"

namespace touche::cli_evaluate_test {
namespace {

using test::has;
using test::interrupted_cli;
using test::Outcome;
using test::StudyFolder;

TEST(CliEvaluate, ControlCLeavesNoEmptyFolder) {
  const StudyFolder folder("cli-evaluate-stop");
  std::filesystem::create_directory(folder.path() / "kept");
  for (const char* out : {"new", "kept"}) {
    const Outcome outcome =
        interrupted_cli(folder, {"evaluate", "--quick", "--continuous", "--out", out}, out,
                        std::chrono::milliseconds(300));
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_TRUE(has(outcome.err, "interrupted, nothing is written")) << outcome.err;
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "new"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "kept"));
}

}  // namespace
}  // namespace touche::cli_evaluate_test
