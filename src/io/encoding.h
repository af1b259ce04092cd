// SPDX-License-Identifier: Apache-2.0
// Texts are read as UTF-8.
#pragma once

#include <string>
#include <string_view>

#include "touche/types.h"

namespace touche::io {

/// Throws LoadError for a text that says by its first bytes that it is UTF-16, as some editors
/// write.
inline void expect_utf8(std::string_view text, const std::string& file) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    throw LoadError(file, "", "this is text in UTF-16; expected UTF-8");
}

}  // namespace touche::io
