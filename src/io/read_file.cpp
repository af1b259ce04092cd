// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include "io/readers.h"

namespace touche::io {
namespace {

namespace fs = std::filesystem;

void check_readable(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    throw LoadError(path.string(), "", "the file does not exist");
  }
  if (error) throw LoadError(path.string(), "", error.message());
  if (fs::is_directory(status)) throw LoadError(path.string(), "", "this is a directory");
  if (!fs::is_regular_file(status)) throw LoadError(path.string(), "", "this is not a file");
}

}  // namespace

// Read, not mapped: a mapped file that shrinks meanwhile would kill the process.
std::string read_file(const fs::path& path) {
  check_readable(path);
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
