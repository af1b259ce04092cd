// SPDX-License-Identifier: Apache-2.0
// The entries of a ZIP archive that is wholly in memory.
#pragma once

#include <string>
#include <string_view>

#include "io/allowance.h"

struct zip;

namespace touche::io {

class ZipArchive {
 public:
  /// `bytes` must outlive the archive. Throws LoadError when they are no ZIP archive.
  ZipArchive(std::string_view bytes, std::string file);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  /// An entry as a whole, its name compared without case; its bytes are taken from `allowance`.
  /// Throws LoadError when it is missing, damaged or larger than allowed.
  std::string read(const std::string& name, Allowance& allowance) const;

 private:
  zip* archive_;
  std::string file_;
};

}  // namespace touche::io
