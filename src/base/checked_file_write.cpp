// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/checked_file.h"
#include "base/new_file.h"
#include "base/xxhash64.h"

namespace touche::base::checked_file {

// Buffers the checksummed data and writes it piece by piece.
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

}  // namespace touche::base::checked_file
