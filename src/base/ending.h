// SPDX-License-Identifier: Apache-2.0
// File name extensions.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace touche::base {

/// Converts ASCII letters to lower case, whatever the locale.
inline std::string in_small_letters(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

/// The extension in lower case: ".obj" for "part.obj" and "PART.OBJ".
inline std::string ending_of(const std::filesystem::path& file) {
  return in_small_letters(file.extension().string());
}

}  // namespace touche::base
