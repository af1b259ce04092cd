// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/checked_file.h"
#include "base/xxhash64.h"
#include "touche/types.h"

namespace touche::checked_file {
namespace {

// A file that appears under its name once it is whole; until then it has another one, which no
// other process and no other thread uses.
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& file) : file_(file) {
    std::error_code none;
    const auto kind = std::filesystem::status(file_, none).type();
    if (kind != std::filesystem::file_type::regular &&
        kind != std::filesystem::file_type::not_found &&
        kind != std::filesystem::file_type::directory)  // which the end refuses
      throw LoadError(file_.string(), "", "cannot be written: it is a device, or no file");
    static std::atomic<unsigned> next{0};
    do {
      part_ = file_;
      part_ += ".part-" + std::to_string(::getpid()) + "-" + std::to_string(next++);
      number_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (number_ < 0 && errno == EEXIST);
    if (number_ < 0) fail();
  }
  ~NewFile() {
    if (number_ >= 0) ::close(number_);
    if (!done_) ::unlink(part_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(const std::byte* from, std::size_t size) {
    while (size > 0) {
      const ssize_t written = ::write(number_, from, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      from += written;
      size -= static_cast<std::size_t>(written);
    }
  }

  void to_start() {
    if (::lseek(number_, 0, SEEK_SET) != 0) fail();
  }

  void finish() {
    const int number = std::exchange(number_, -1);
    if (::close(number) != 0) fail();
    if (std::rename(part_.c_str(), file_.c_str()) != 0) fail();
    done_ = true;
  }

 private:
  [[noreturn]] void fail() const {
    const int error = errno;
    throw LoadError(file_.string(), "",
                    "cannot be written: " + std::generic_category().message(error));
  }

  std::filesystem::path file_, part_;
  int number_ = -1;
  bool done_ = false;
};

}  // namespace

// Collects what is summed and writes it piece by piece.
class Writer::Impl {
 public:
  Impl(const std::filesystem::path& file, const Prefix& prefix) : file_(file), prefix_(prefix) {
    piece_.reserve(kPiece);
    write_prefix();
  }

  void add(const void* data, std::size_t size) {
    const auto* from = static_cast<const std::byte*>(data);
    while (size > 0) {
      const std::size_t part = std::min(size, kPiece - piece_.size());
      piece_.insert(piece_.end(), from, from + part);
      from += part;
      size -= part;
      if (piece_.size() == kPiece) flush();
    }
  }

  void finish() {
    if (!piece_.empty()) flush();
    file_.to_start();
    write_prefix();
    file_.finish();
  }

 private:
  void write_prefix() { file_.write(reinterpret_cast<const std::byte*>(&prefix_), sizeof prefix_); }
  void flush() {
    prefix_.checksum = xxhash64(piece_, prefix_.checksum);
    file_.write(piece_.data(), piece_.size());
    piece_.clear();
  }

  NewFile file_;
  Prefix prefix_;
  std::vector<std::byte> piece_;
};

Writer::Writer(const std::filesystem::path& file, const Prefix& prefix)
    : impl_(std::make_unique<Impl>(file, prefix)) {}
Writer::~Writer() = default;
void Writer::add(const void* data, std::size_t size) { impl_->add(data, size); }
void Writer::finish() { impl_->finish(); }

}  // namespace touche::checked_file
