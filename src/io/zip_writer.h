// SPDX-License-Identifier: Apache-2.0
// Makes a ZIP archive in memory.
#pragma once

#include <deque>
#include <string>

struct zip;
struct zip_source;

namespace touche::io {

/// The same entries give the same bytes: none has a date of its own.
class ZipWriter {
 public:
  ZipWriter();
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  /// `name`: with '/' between folders. Throws Error if the entry cannot be added.
  void add(const std::string& name, std::string bytes);

  /// The archive, after which nothing can be added. Throws Error if it cannot be made.
  std::string finish();

 private:
  zip_source* target_;
  zip* archive_;
  std::deque<std::string> entries_;  // libzip reads them when the archive is closed
};

}  // namespace touche::io
