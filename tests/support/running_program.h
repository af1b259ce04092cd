// SPDX-License-Identifier: Apache-2.0
// A program that runs beside the test.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

namespace touche::test {

class RunningProgram {
 public:
  /// Starts the program in a folder; `environment`: "NAME=VALUE" each, besides what this one has.
  /// Its output on stderr comes with that on stdout.
  RunningProgram(const std::string& folder, std::vector<std::string> words,
                 const std::vector<std::string>& environment = {}) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    output_ = ends[0];
    child_ = ::fork();
    if (child_ == 0) {
      std::vector<char*> arguments;
      for (std::string& word : words) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      for (const std::string& variable : environment) {
        const std::size_t equals = variable.find('=');
        ::setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
      }
      ::dup2(ends[1], STDOUT_FILENO);
      ::dup2(ends[1], STDERR_FILENO);
      if (::chdir(folder.c_str()) == 0) ::execv(arguments[0], arguments.data());
      ::_exit(127);
    }
    ::close(ends[1]);
  }
  ~RunningProgram() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    ::close(output_);
  }
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  /// Reads until `text` has come; all that was written so far. Fails where it does not come.
  const std::string& wait_for(const std::string& text) {
    while (read_.find(text) == read_.npos && read_more()) {
    }
    EXPECT_NE(read_.find(text), read_.npos) << read_;
    return read_;
  }

  void kill(int signal) const { ::kill(child_, signal); }

  /// Its exit code, or minus the signal that ended it. Fails where it does not end.
  int wait(std::chrono::seconds patience = std::chrono::seconds(60)) {
    const auto end = std::chrono::steady_clock::now() + patience;
    int status = 0;
    while (::waitpid(child_, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() > end) {
        ADD_FAILURE() << "it does not end";
        return -1000;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  [[nodiscard]] const std::string& output_so_far() const { return read_; }

 private:
  bool read_more() {
    pollfd ready{output_, POLLIN, 0};
    if (::poll(&ready, 1, 60000) <= 0) return false;
    char bytes[4096];
    const ssize_t got = ::read(output_, bytes, sizeof bytes);
    if (got > 0) read_.append(bytes, static_cast<std::size_t>(got));
    return got > 0;
  }

  pid_t child_ = -1;
  int output_ = -1;
  std::string read_;
};

}  // namespace touche::test
