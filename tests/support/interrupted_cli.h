// SPDX-License-Identifier: Apache-2.0
// Ctrl-C while the program is at work.
#pragma once

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>
#include <vector>

#include "cli_run.h"

namespace touche::test {

/// Runs `touche ARGUMENTS` in the folder and sends SIGINT so long after a path is there; programs
/// make their folder once they wait for signals. Without a path it is as long after the start. The
/// exit code is -1 where the signal kills.
inline Outcome interrupted_cli(const StudyFolder& folder, std::vector<const char*> arguments,
                               const std::string& path, std::chrono::milliseconds after) {
  arguments.insert(arguments.begin(), TOUCHE_CLI);
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    std::filesystem::current_path(folder.path());
    if (!std::freopen("out", "w", stdout) || !std::freopen("err", "w", stderr)) _exit(126);
    execv(TOUCHE_CLI, const_cast<char* const*>(arguments.data()));
    _exit(127);
  }
  for (int i = 0; i < 3000 && !std::filesystem::exists(folder.path() / path); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(after);
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(folder.path() / "out"),
          read_text(folder.path() / "err")};
}

}  // namespace touche::test
