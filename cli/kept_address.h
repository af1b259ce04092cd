// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace touche::cli {

/// The page's address in the last `touche view` of the same files. Reusing it lets open pages
/// reconnect to the program. The file contains the page's token, so only this user may read it: a
/// file that others may read or write, that belongs to another user or that is a link is an error.
/// Programs that run concurrently do not share an address.
class KeptAddress {
 public:
  /// Throws Error if the file cannot be opened or is not safe.
  explicit KeptAddress(const std::vector<std::string>& inputs);
  ~KeptAddress();
  KeptAddress(const KeptAddress&) = delete;
  KeptAddress& operator=(const KeptAddress&) = delete;

  /// 0 and empty if there was no address, or if another program holds the file.
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] const std::string& token() const { return token_; }

  /// Stores the address for the next program. Does nothing if another program holds the file.
  void keep(const std::string& url) const;

 private:
  int file_ = -1;  // locked during this object's lifetime; -1: another program holds it
  std::string name_;
  std::uint16_t port_ = 0;
  std::string token_;
};

}  // namespace touche::cli
