// SPDX-License-Identifier: Apache-2.0
// Real meshes with recorded truth, kept outside the project. Tests that need them say so when
// they are not there.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "source_folder.h"

namespace touche::test {

/// $TOUCHE_SHARED_DATA, else ../shared/data beside the checkout; empty when the latter does not
/// exist. A folder that was named must be there: tests fail rather than be skipped.
inline std::filesystem::path shared_data() {
  namespace fs = std::filesystem;
  if (const char* env = std::getenv("TOUCHE_SHARED_DATA")) {
    if (!fs::is_directory(env))
      throw std::runtime_error(std::string("TOUCHE_SHARED_DATA: no folder ") + env);
    return env;
  }
  const fs::path beside = fs::path(test::kSourceFolder) / ".." / "shared" / "data";
  return fs::is_directory(beside) ? beside : fs::path();
}

}  // namespace touche::test

#define TOUCHE_NEED_SHARED_DATA() \
  if (touche::test::shared_data().empty()) GTEST_SKIP() << "skipped: no shared data"
