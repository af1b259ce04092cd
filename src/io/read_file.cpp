// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include "base/file_kind.h"
#include "io/readers.h"

namespace touche::io {

namespace fs = std::filesystem;

// Read, not mapped: a mapped file that shrinks meanwhile would kill the process.
std::string read_file(const fs::path& path) {
  if (const std::string reason = base::why_no_file(path); !reason.empty())
    throw LoadError(path.string(), "", reason);
  std::ifstream in(path, std::ios::binary);
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (!in || error) throw LoadError(path.string(), "", "the file cannot be read");
  std::string bytes(size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  if (in.gcount() != static_cast<std::streamsize>(size)) {
    throw LoadError(path.string(), "", "the file cannot be read to its end");
  }
  if (bytes.empty()) throw LoadError(path.string(), "", "the file is empty");
  return bytes;
}

}  // namespace touche::io
