// SPDX-License-Identifier: Apache-2.0
// A file that appears under its name once it is whole.
#pragma once

#include <cstddef>
#include <filesystem>

namespace touche {

/// Until it is whole it has another name beside its own, which no other process and no other thread
/// uses, and which is gone if it never becomes whole. It takes the place, and the permissions, of a
/// file that is there; where a link to a file is there, of what the link leads to. All functions
/// throw LoadError.
class NewFile {
 public:
  /// Whether devices and pipes, in whose place no file may be put, are refused or written to.
  enum class Devices { refused, written };

  explicit NewFile(const std::filesystem::path& file, Devices devices = Devices::refused);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(const void* from, std::size_t size);
  void to_start();
  void finish();
  /// The name as it was given.
  const std::filesystem::path& name() const { return name_; }

 private:
  [[noreturn]] void fail(int error) const;

  std::filesystem::path name_, place_;
  std::filesystem::path part_;  // its name until it is whole; none for a device
  int number_ = -1;
};

}  // namespace touche
