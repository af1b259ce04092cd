// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace touche::cli {

/// The page's address of the last `touche view` of the same files, so that pages that are still
/// open find the program again. It holds the page's token, so the file with it may be read by this
/// user only: one that others may read or write, or that is another's or a link, is an error.
/// Programs that run at the same time do not share an address.
class KeptAddress {
 public:
  /// Throws Error where the file cannot be had or is not safe.
  explicit KeptAddress(const std::vector<std::string>& inputs);
  ~KeptAddress();
  KeptAddress(const KeptAddress&) = delete;
  KeptAddress& operator=(const KeptAddress&) = delete;

  /// 0 and empty where there was none, or where another program has it.
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] const std::string& token() const { return token_; }

  /// For the next program. Does nothing while another has the file.
  void keep(const std::string& url) const;

 private:
  int file_ = -1;  // locked while this lives; -1: another program has it
  std::string name_;
  std::uint16_t port_ = 0;
  std::string token_;
};

}  // namespace touche::cli
