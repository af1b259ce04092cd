// SPDX-License-Identifier: Apache-2.0
// A process with little memory and time, for what may take more than there is.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <new>
#include <string>

#include "sanitized.h"

namespace touche::test {

inline constexpr std::size_t kMebi = std::size_t{1} << 20;

inline std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

// Returns the result of `ask`, or how it ended, in a process that may take 700 MiB more than this
// one has, and ten seconds of processor time (ten times as much with sanitizers).
inline std::string in_a_child(const std::function<std::string()>& ask) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    if (!is_sanitized()) {
      std::size_t pages = 0;
      if (std::FILE* statm = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(statm, "%zu", &pages) != 1) pages = 0;
        std::fclose(statm);
      }
      const rlim_t bytes = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + 700 * kMebi;
      const rlimit memory{bytes, bytes};
      setrlimit(RLIMIT_AS, &memory);
    }
    const auto most = static_cast<rlim_t>(seconds_allowed(10));
    const rlimit seconds{most, most};
    setrlimit(RLIMIT_CPU, &seconds);
    std::string text;
    try {
      text = ask();
    } catch (const std::bad_alloc&) {
      text = "out of memory";
    }
    text.resize(std::min<std::size_t>(text.size(), 4000));
    const bool written = write(ends[1], text.data(), text.size()) >= 0;
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string said;
  char piece[512];
  for (ssize_t count; (count = read(ends[0], piece, sizeof piece)) > 0;)
    said.append(piece, static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? "killed by signal " + std::to_string(WTERMSIG(status)) : said;
}

}  // namespace touche::test
