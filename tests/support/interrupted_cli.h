// SPDX-License-Identifier: Apache-2.0
// Ctrl-C while the program is at work.
#pragma once

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "cli_run.h"

namespace touche::test {

/// Does the process wait for SIGINT? Linux lists the signals it catches as a mask in hexadecimal
/// digits.
inline bool catches_interrupts(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigCgt:"))
      return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
  return false;
}

/// The processor time that a process has used; 0 if it has ended.
inline std::chrono::nanoseconds processor_time(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Runs `touche ARGUMENTS` in the folder, waits until it waits for signals and a path is there,
/// which is one in the folder, and sends SIGINT once it has used so much more processor time. The
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
  const auto ended = [&] {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid != 0;
  };
  const auto works = [&] {
    return catches_interrupts(child) && std::filesystem::exists(folder.path() / path);
  };
  const auto wait_until = [&](const auto& holds) {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::minutes(4);
    while (!holds() && !ended() && std::chrono::steady_clock::now() < patience)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };
  wait_until(works);
  const std::chrono::nanoseconds start = processor_time(child);
  wait_until([&] { return processor_time(child) - start >= after; });
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(folder.path() / "out"),
          read_text(folder.path() / "err")};
}

}  // namespace touche::test
