// SPDX-License-Identifier: Apache-2.0
// Names and data as URIs write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace touche::io {

/// "My%20part" to "My part"; what is no escape stays.
std::string percent_decoded(std::string_view text);

/// Nothing, if it is not base64 (RFC 4648, section 4; padding may be missing).
std::optional<std::string> base64_decoded(std::string_view text);

}  // namespace touche::io
