// SPDX-License-Identifier: Apache-2.0
// A small study to start from, a folder to put it in, and readers that know nothing of the code
// under test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace touche::test {

using Json = nlohmann::json;

inline std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline Json read_json(const std::filesystem::path& file) { return Json::parse(read_text(file)); }

/// The unit cube `mover` flies from x in [0, 1] four to the right, in two steps; `wall` is the box
/// [3.5, 3.6] x [-2, 3] x [-2, 3].
inline Json box_study() {
  return Json::parse(R"({
    "touche_study": 1, "title": "Box and wall", "unit": "mm",
    "parts": [{"name": "mover", "file": "cube.off"}, {"name": "wall", "file": "wall.off"}],
    "groups": [{"name": "moving", "parts": ["mover"], "motion": {"interpolation": "slerp", "poses": [
      {"t": 0, "translation": [0, 0, 0], "quaternion": [1, 0, 0, 0]},
      {"t": 1, "translation": [2, 0, 0], "quaternion": [1, 0, 0, 0]},
      {"t": 2, "translation": [4, 0, 0], "quaternion": [1, 0, 0, 0]}]}}],
    "tolerance": 1e-3, "clearance_threshold": 1})");
}

inline std::string box_off(double x0, double y0, double z0, double x1, double y1, double z1) {
  std::string text = "OFF\n8 6 12\n";
  for (int i = 0; i < 8; ++i)
    text += std::to_string((i & 1) != 0 ? x1 : x0) + " " + std::to_string((i & 2) != 0 ? y1 : y0) +
            " " + std::to_string((i & 4) != 0 ? z1 : z0) + "\n";
  return text + "4 0 2 3 1\n4 4 5 7 6\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 7 5\n";
}

/// The same without the face at x = x1.
inline std::string open_box_off(double x0, double y0, double z0, double x1, double y1, double z1) {
  std::string text = box_off(x0, y0, z0, x1, y1, z1);
  text.replace(text.find("8 6 12"), 6, "8 5 12");
  return text.substr(0, text.rfind("4 1 3 7 5"));
}

/// A fresh folder with the meshes of box_study(), removed at the end.
class StudyFolder {
 public:
  explicit StudyFolder(const std::string& name) : path_(made("touche-" + name + "-XXXXXX")) {
    write("cube.off", box_off(0, 0, 0, 1, 1, 1));
    write("wall.off", box_off(3.5, -2, -2, 3.6, 3, 3));
  }
  ~StudyFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  StudyFolder(const StudyFolder&) = delete;
  StudyFolder& operator=(const StudyFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }

 private:
  static std::filesystem::path made(const std::string& pattern) {
    std::string path = (std::filesystem::temp_directory_path() / pattern).string();
    if (::mkdtemp(path.data()) == nullptr) ADD_FAILURE() << "no temporary folder " << path;
    return path;
  }

  std::filesystem::path path_;
};

/// Rows of cells, quotes resolved (RFC 4180).
inline std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows = {{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    std::string& cell = rows.back().back();
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
      cell += text[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && c == ',')
      rows.back().emplace_back();
    else if (!quoted && c == '\n')
      rows.push_back({""});
    else
      cell += c;
  }
  if (rows.back().size() == 1 && rows.back()[0].empty()) rows.pop_back();
  return rows;
}

}  // namespace touche::test
