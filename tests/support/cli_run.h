// SPDX-License-Identifier: Apache-2.0
// Runs the program as a user does.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "study_files.h"

namespace touche::test {

struct Outcome {
  int exit_code = -1;
  std::string out, err;
};

/// Runs `touche ARGUMENTS` in the folder, through the shell.
inline Outcome touche_cli(const StudyFolder& folder, const std::string& arguments) {
  const std::string in = folder.path().string();
  const std::string command = "cd '" + in + "' && " TOUCHE_CLI " " + arguments + " >out 2>err";
  Outcome outcome;
  const int status = std::system(command.c_str());
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  outcome.out = read_text(folder.path() / "out");
  outcome.err = read_text(folder.path() / "err");
  return outcome;
}

inline bool has(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

}  // namespace touche::test
