// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace touche::cli {

/// Opens an address in the user's browser while it lives, without showing the address to other
/// users of the machine, who can see the arguments of all programs: the browser is given a file
/// that only this user may read, and that leads there.
class Browser {
 public:
  explicit Browser(const std::string& url);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// Tells what keeps it from being opened; empty: nothing is known to.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  std::filesystem::path file_;
  std::string trouble_;
};

}  // namespace touche::cli
