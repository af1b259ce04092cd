// SPDX-License-Identifier: Apache-2.0
// Explains why a path is not a readable file, for error messages.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace touche::base {

/// The reason why an entry of this type is not read as a file; empty for a regular file.
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

/// The same for a path. A device or a pipe could open and then never end, so readers check this
/// first.
inline std::string why_no_file(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  return error && status.type() != std::filesystem::file_type::not_found
             ? error.message()
             : why_no_file(status.type());
}

/// The same for an error message, with the path's name before the reason.
inline std::string why_no_file_named(const std::filesystem::path& path) {
  std::string reason = why_no_file(path);
  if (!reason.empty()) reason.insert(0, path.string() + ": ");
  return reason;
}

}  // namespace touche::base
