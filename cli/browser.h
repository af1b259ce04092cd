// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace touche::cli {

/// Opens an address in the user's browser during this object's lifetime. Other users of the machine
/// can see program arguments, so the browser gets the name of a file that redirects to the address
/// and that only this user can read.
class Browser {
 public:
  explicit Browser(const std::string& url);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// The reason why the browser cannot be opened; empty if none is known.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  std::filesystem::path file_;
  std::string trouble_;
};

}  // namespace touche::cli
