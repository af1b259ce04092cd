// SPDX-License-Identifier: Apache-2.0
// How much memory a file may take beyond what its own bytes account for.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "touche/types.h"

namespace touche::io {

/// Thrown when an allowance is used up: an error of the whole file, not of one part of it.
class UnfoldsTooFar : public LoadError {
  using LoadError::LoadError;
};

/// Limits the memory of data that is short in a file and large when expanded, e.g. a compressed
/// archive, a part with many instances, or a face list that is referenced twice. A reader that
/// expands such data takes its bytes from the allowance first.
class Allowance {
 public:
  static constexpr std::size_t kFloor = std::size_t{256} << 20;
  static constexpr std::size_t kRatio = 200;

  Allowance(std::size_t file_bytes, std::string file)
      : left_(std::max(kFloor, kRatio * file_bytes)),
        file_bytes_(file_bytes),
        file_(std::move(file)) {}

  /// Throws UnfoldsTooFar, naming `place`, when all of it is used up.
  void take(std::size_t bytes, const std::string& place) {
    if (bytes > left_) {
      throw UnfoldsTooFar(
          file_, place,
          fmt::format("unfolds to more than {} times the file's {} bytes, and to more than {} MiB",
                      kRatio, file_bytes_, kFloor >> 20));
    }
    left_ -= bytes;
  }
  std::size_t left() const { return left_; }

 private:
  std::size_t left_;
  std::size_t file_bytes_;
  std::string file_;
};

}  // namespace touche::io
