// SPDX-License-Identifier: Apache-2.0
// A file that appears under its name only once it is complete.
#pragma once

#include <cstddef>
#include <filesystem>

namespace touche::base {

/// Until it is complete, the file has another unique name in the same folder; it is deleted if it
/// is never completed. It replaces an existing file and keeps its permissions; if the name is a
/// symbolic link, it replaces the link's target. All functions throw LoadError.
class NewFile {
 public:
  /// Whether devices and pipes, which cannot be replaced by a file, are refused or written to.
  enum class Devices { refused, written };

  explicit NewFile(const std::filesystem::path& file, Devices devices = Devices::refused);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(const void* from, std::size_t size);
  void to_start();
  void finish();
  /// The name as given.
  const std::filesystem::path& name() const { return name_; }

 private:
  [[noreturn]] void fail(int error) const;

  std::filesystem::path name_, place_;
  std::filesystem::path part_;  // its temporary name; empty for a device
  int number_ = -1;
};

}  // namespace touche::base
