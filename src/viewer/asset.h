// SPDX-License-Identifier: Apache-2.0
// The files of the page. They are part of the program: the server reads no file at all.
#pragma once

#include <span>
#include <string_view>

namespace touche::viewer {

struct Asset {
  std::string_view path;  ///< below the page's address: "index.html", "main.js"
  std::string_view type;  ///< its MIME type
  std::string_view gzip;  ///< its content, packed
};

/// Returns what viewer/tools/embed.mjs made of the bundle.
[[nodiscard]] std::span<const Asset> assets();

/// The page's Content Security Policy, with "{host}" for the server's own name: viewer/policy.txt,
/// which the tests of the page read, too.
[[nodiscard]] std::string_view page_policy();

}  // namespace touche::viewer
