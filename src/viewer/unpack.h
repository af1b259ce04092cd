// SPDX-License-Identifier: Apache-2.0
// The page's files as they were before they were packed into the program.
#pragma once

#include <string>
#include <string_view>

namespace touche::viewer {

/// The content of an asset. Throws Error for bytes that are no gzip.
[[nodiscard]] std::string unpacked(std::string_view gzip);

}  // namespace touche::viewer
