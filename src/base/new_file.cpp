// SPDX-License-Identifier: Apache-2.0
#include "base/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include "touche/types.h"

namespace touche::base {
namespace {

/// Follows the symbolic links at `file` to their target, which need not exist.
std::filesystem::path behind_links(std::filesystem::path file) {
  constexpr int kMostLinks = 40;  // as many as Linux follows
  std::error_code none;
  for (int k = 0; k < kMostLinks && std::filesystem::is_symlink(file, none); ++k) {
    const std::filesystem::path to = std::filesystem::read_symlink(file, none);
    if (none) break;
    file = file.parent_path() / to;  // this is `to` if it is an absolute path
  }
  return file;
}

}  // namespace

NewFile::NewFile(const std::filesystem::path& file, Devices devices)
    : name_(file), place_(behind_links(file)) {
  struct stat there {};
  const bool exists = ::stat(place_.c_str(), &there) == 0;
  if (!exists && errno != ENOENT) fail(errno);
  if (exists && S_ISDIR(there.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(there.st_mode)) {
    if (devices == Devices::refused)
      throw LoadError(name_.string(), "", "cannot be written: it is a device, or no file");
    number_ = ::open(place_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (number_ < 0) fail(errno);
    return;
  }
  static std::atomic<unsigned> next{0};
  do {
    part_ = place_;
    part_ += ".part-" + std::to_string(::getpid()) + "-" + std::to_string(next++);
    number_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (number_ < 0 && errno == EEXIST);
  if (number_ < 0) fail(errno);
  // Not every file system has permissions, so this may fail.
  if (exists) (void)!::fchmod(number_, there.st_mode & 0777);
}

NewFile::~NewFile() {
  if (number_ >= 0) ::close(number_);
  if (!part_.empty()) ::unlink(part_.c_str());
}

void NewFile::write(const void* from, std::size_t size) {
  const auto* left = static_cast<const std::byte*>(from);
  while (size > 0) {
    const ssize_t written = ::write(number_, left, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    left += written;
    size -= static_cast<std::size_t>(written);
  }
}

void NewFile::to_start() {
  if (::lseek(number_, 0, SEEK_SET) != 0) fail(errno);
}

void NewFile::finish() {
  if (::close(std::exchange(number_, -1)) != 0) fail(errno);
  if (part_.empty()) return;
  if (std::rename(part_.c_str(), place_.c_str()) != 0) fail(errno);
  part_.clear();
}

void NewFile::fail(int error) const {
  throw LoadError(name_.string(), "",
                  "cannot be written: " + std::generic_category().message(error));
}

}  // namespace touche::base
