// SPDX-License-Identifier: Apache-2.0
// Keeps the notes that people wrote about pairs of parts, in a file beside the result.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "touche/clash.h"

namespace touche::viewer {

/// Notes by the names of both parts.
class ClashNotes {
 public:
  /// Reads the file where there is one. Throws LoadError naming it and the JSON path.
  explicit ClashNotes(std::filesystem::path file);

  [[nodiscard]] const ClashNote* find(const std::string& a, const std::string& b) const;
  /// Writes the file anew, in one go: it is never there by half. Empty text that accepts nothing
  /// removes the note. Throws LoadError when the file cannot be written.
  void set(const std::string& a, const std::string& b, const std::string& text, bool accepted);
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
  std::map<std::pair<std::string, std::string>, ClashNote> notes_;
};

}  // namespace touche::viewer
