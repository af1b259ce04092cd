// SPDX-License-Identifier: Apache-2.0
// Files that are mapped into memory without conversion, so they must be complete and match the
// machine's format. Each begins with the same prefix, see docs/hierarchy-file.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace touche::base::checked_file {

inline constexpr std::uint32_t kByteOrder = 0x01020304;

struct Prefix {
  std::array<char, 8> magic;
  std::uint32_t byte_order = kByteOrder;
  std::uint32_t version;
  std::uint64_t layout;        ///< of the structures in memory
  std::uint64_t checksum = 0;  ///< of everything after it
};
static_assert(sizeof(Prefix) == 32);

/// A chain of XXH64 hashes of pieces of this many bytes, each seeded with the previous hash, so
/// that a file can be written sequentially with a buffer of one piece.
inline constexpr std::size_t kPiece = 1 << 16;
std::uint64_t checksum(std::span<const std::byte> summed);

/// Checks that a reader makes first, in this order. They throw LoadError naming `file`, which
/// should be a file of type `kind`.
void check_prefix(std::span<const std::byte> bytes, std::size_t header_size, const Prefix& expected,
                  const std::string& kind, const std::string& file);
void check_size(std::span<const std::byte> bytes, std::uint64_t expected, const std::string& file);
void check_sum(std::span<const std::byte> bytes, const std::string& file);

/// A file mapped into memory; map() throws LoadError.
struct Mapping {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};
Mapping map(const std::filesystem::path& file);

/// Writes a new file, which appears under its name only once it is complete. Throws LoadError if it
/// cannot be written.
class Writer {
 public:
  Writer(const std::filesystem::path& file, const Prefix& prefix);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void add(const void* data, std::size_t size);
  void finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touche::base::checked_file
