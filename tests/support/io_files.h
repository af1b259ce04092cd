// SPDX-License-Identifier: Apache-2.0
// Mesh files made here, and what reading them gives.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "temporary_folder.h"
#include "touche/io.h"

namespace touche::test {

/// A folder of its own per test, removed at the end.
class Io : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  PolygonSoup soup(const std::string& name, const std::string& bytes) const {
    return load_soup(write(name, bytes));
  }
  /// The error without the path in front: ":line: reason".
  std::string error_of(const std::filesystem::path& path, const LoadOptions& options = {}) const {
    try {
      (void)load_soup(path, options);
    } catch (const LoadError& error) {
      const std::string what = error.what();
      EXPECT_EQ(error.file(), path.string());
      EXPECT_TRUE(what.starts_with(path.string())) << what;
      return what.substr(path.string().size());
    }
    return "loaded";
  }
  std::string error(const std::string& name, const std::string& bytes) const {
    return error_of(write(name, bytes));
  }

  const TemporaryFolder made_;
  const std::filesystem::path folder_ = made_.path();
};

template <class T>
std::string raw(T value, bool big = false) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (big) std::reverse(bytes.begin(), bytes.end());
  return {bytes.data(), bytes.size()};
}

using Faces = std::vector<Index>;

inline Faces face(const PolygonSoup& soup, Index f) {
  return {soup.face(f).begin(), soup.face(f).end()};
}

/// Three vertices of an OBJ file.
inline const std::string kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

/// A triangle of an STL file as text, from its last corner.
inline std::string facet(const std::string& last) {
  return "facet normal nan nan nan\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex " + last +
         "\nendloop\nendfacet\n";
}

}  // namespace touche::test
