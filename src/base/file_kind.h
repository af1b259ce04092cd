// SPDX-License-Identifier: Apache-2.0
// Tells what a path leads to, in words for those who expected a file.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace touche {

/// Why what is of this type is not read as a file; empty for what is.
inline std::string why_no_file(std::filesystem::file_type type) {
  using Type = std::filesystem::file_type;
  switch (type) {
    case Type::regular:
      return {};
    case Type::not_found:
      return "the file does not exist";
    case Type::directory:
      return "this is a directory";
    case Type::character:
    case Type::block:
      return "this is a device, not a file";
    case Type::fifo:
      return "this is a pipe, not a file";
    case Type::socket:
      return "this is a socket, not a file";
    default:
      return "this is not a file";
  }
}

/// The same of what a path leads to. A device or a pipe could open and then never end, so readers
/// ask this first.
inline std::string why_no_file(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  return error && status.type() != std::filesystem::file_type::not_found
             ? error.message()
             : why_no_file(status.type());
}

/// The same for an error at the place that names the file.
inline std::string why_no_file_named(const std::filesystem::path& path) {
  std::string reason = why_no_file(path);
  if (!reason.empty()) reason.insert(0, path.string() + ": ");
  return reason;
}

}  // namespace touche
