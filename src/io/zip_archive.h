// SPDX-License-Identifier: Apache-2.0
// The entries of a ZIP archive that is wholly in memory.
#pragma once

#include <string>
#include <string_view>

struct zip;

namespace touche::io {

class ZipArchive {
 public:
  /// `bytes` must outlive the archive. Throws LoadError when they are no ZIP archive.
  ZipArchive(std::string_view bytes, std::string file);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  /// An entry as a whole, its name compared without case. Throws LoadError when it is missing,
  /// damaged or larger than 4 GiB.
  std::string read(const std::string& name) const;

 private:
  zip* archive_;
  std::string file_;
};

}  // namespace touche::io
