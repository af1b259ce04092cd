// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <vector>

#include "base/xxhash64.h"
#include "bvh/file_format.h"
#include "touche/hierarchy_file.h"

namespace touche {
namespace bvh_file {
namespace {

// A file that appears under its name once it is whole; until then it has another one, which no
// other process and no other thread uses.
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& file) : file_(file) {
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

// Collects what is summed and writes it piece by piece.
class Summed {
 public:
  explicit Summed(NewFile& file) : file_(file) { piece_.reserve(kPiece); }

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

  std::uint64_t finish() {
    if (!piece_.empty()) flush();
    return sum_;
  }

 private:
  void flush() {
    sum_ = xxhash64(piece_, sum_);
    file_.write(piece_.data(), piece_.size());
    piece_.clear();
  }

  NewFile& file_;
  std::vector<std::byte> piece_;
  std::uint64_t sum_ = 0;
};

template <class T>
class Bytes {
 public:
  Bytes() { std::memset(bytes_, 0, sizeof bytes_); }
  template <class Member>
  void put(std::size_t offset, const Member& member) {
    std::memcpy(bytes_ + offset, &member, sizeof member);
  }
  void add_to(Summed& out) const { out.add(bytes_, sizeof bytes_); }

 private:
  std::byte bytes_[sizeof(T)];
};

// Member by member: what lies between them is zero in the file, whatever it is in memory.
void add(const BvhNode& node, Summed& out) {
  Bytes<BvhNode> bytes;
  bytes.put(offsetof(BvhNode, bounds), node.bounds);
  bytes.put(offsetof(BvhNode, count), node.count);
  bytes.put(offsetof(BvhNode, children), node.children);
  bytes.put(offsetof(BvhNode, child), node.child);
  bytes.add_to(out);
}
void add(const BvhLeaf& leaf, Summed& out) {
  Bytes<BvhLeaf> bytes;
  bytes.put(offsetof(BvhLeaf, bounds), leaf.bounds);
  bytes.put(offsetof(BvhLeaf, count), leaf.count);
  bytes.put(offsetof(BvhLeaf, corner), leaf.corner);
  bytes.put(offsetof(BvhLeaf, triangle), leaf.triangle);
  bytes.add_to(out);
}

SavedHierarchy save(const Bvh& bvh, const PolygonSoup& soup, const std::filesystem::path& path) {
  Header header = {.layout = layout(),
                   .checksum = 0,
                   .mesh = mesh_hash(soup),
                   .triangles = soup.triangle_count(),
                   .nodes = static_cast<std::uint32_t>(bvh.node_count()),
                   .leaves = static_cast<std::uint32_t>(bvh.leaf_count()),
                   .root = bvh.root(),
                   .height = bvh.height(),
                   .centre = {bvh.centre()[0], bvh.centre()[1], bvh.centre()[2]},
                   .scale = bvh.scale(),
                   .cost = bvh.cost(),
                   .built_cost = bvh.built_cost()};
  const auto* begin = reinterpret_cast<const std::byte*>(&header);
  NewFile file(path);
  file.write(begin, kSummed);
  Summed out(file);
  out.add(begin + kSummed, sizeof header - kSummed);
  for (const BvhNode& node : bvh.nodes()) add(node, out);
  for (const BvhLeaf& leaf : bvh.leaves()) add(leaf, out);
  header.checksum = out.finish();
  file.to_start();
  file.write(begin, kSummed);
  file.finish();
  return {header.mesh, header.nodes, header.leaves, header.height,
          sizeof header + bvh.nodes().size_bytes() + bvh.leaves().size_bytes()};
}

}  // namespace
}  // namespace bvh_file

SavedHierarchy save_hierarchy(const Object& object, const std::filesystem::path& file) {
  return bvh_file::save(object.bvh(), object.soup(), file);
}

}  // namespace touche
