// SPDX-License-Identifier: Apache-2.0
// `touche evaluate` that is stopped.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

#include "cli_run.h"

namespace touche::cli_evaluate_test {
namespace {

using test::has;
using test::StudyFolder;

TEST(CliEvaluate, ControlCLeavesNoEmptyFolder) {
  const StudyFolder folder("cli-evaluate-stop");
  std::filesystem::create_directory(folder.path() / "kept");
  for (const char* out : {"new", "kept"}) {
    const pid_t child = fork();
    if (child == 0) {
      std::filesystem::current_path(folder.path());
      if (!std::freopen("out", "w", stdout) || !std::freopen("err", "w", stderr)) _exit(126);
      execl(TOUCHE_CLI, TOUCHE_CLI, "evaluate", "--quick", "--continuous", "--out", out, nullptr);
      _exit(127);
    }
    // Signals are waited for before the folder is made.
    const auto started = [&] { return std::filesystem::exists(folder.path() / out); };
    for (int i = 0; i < 3000 && !started(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(started());
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    kill(child, SIGINT);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << status;
    EXPECT_TRUE(has(test::read_text(folder.path() / "err"), "interrupted, nothing is written"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "new"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "kept"));
}

}  // namespace
}  // namespace touche::cli_evaluate_test
