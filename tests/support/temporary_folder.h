// SPDX-License-Identifier: Apache-2.0
// A folder that no other test shares, however many run at a time.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

namespace touche::test {

/// A fresh, empty folder, removed at the end with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string path = (std::filesystem::temp_directory_path() / "touche-test-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) ADD_FAILURE() << "no temporary folder " << path;
    path_ = path;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace touche::test
