// SPDX-License-Identifier: Apache-2.0
// touche: the command line.
#include <fmt/core.h>

#include <cstdio>
#include <exception>

#include "commands.h"
#include "touche/simd.h"
#include "touche/version.h"

namespace {

using namespace touche::cli;

std::string version() {
  std::string text = fmt::format("touche {}\nSIMD targets:", touche::kVersion);
  for (const std::string& target : touche::simd_targets()) text += " " + target;
  return text + " (the first is in use)";
}

int run(int argc, char** argv) {
  Program program(
      "touche",
      "Touché: do two objects touch, where, how far apart are they, and when along a motion do "
      "they\nfirst touch - for polygon soups, with answers that are proved.",
      "touche COMMAND --help has examples.\n"
      "Exit code: 0 free, 1 contact, 2 error or not decided, 3 only surfaces are free: a part is "
      "open.",
      version);
  for (const auto add : {add_study, add_handle, add_clash, add_simulate, add_view, add_info,
                         add_build, add_collide, add_distance, add_toi, add_path, add_scene,
                         add_calibrate, add_evaluate, add_zoo, add_sheet, add_generate})
    add(program);
  return program.run(argc, argv);
}

// Detects a full disk, both while printing and when flushing; the error message is the same.
bool written() { return std::ferror(stdout) == 0 && std::fflush(stdout) == 0; }

int fail(const char* reason) {
  std::fprintf(stderr, "touche: %s\n", written() ? reason : "cannot write to the standard output");
  return kError;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = run(argc, argv);
    return written() ? code : fail("");
  } catch (const std::exception& e) {
    return fail(e.what());
  }
}
