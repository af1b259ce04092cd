// SPDX-License-Identifier: Apache-2.0
#include "io/glb_chunks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/byte_reader.h"
#include "io/text_scanner.h"

namespace touche::io {
namespace {

class ChunkReader {
 public:
  ChunkReader(std::string_view bytes, const std::string& file)
      : bytes_(bytes), in_(bytes, 0, std::endian::little, file) {}

  GlbChunks read() {
    header();
    chunks_.json = chunk("JSON");
    skip_padding();
    if (in_.bytes_left() > 0) chunks_.binary = chunk(kBinary);
    return std::move(chunks_);
  }

 private:
  static constexpr std::string_view kBinary{"BIN\0", 4};

  void header() {
    if (!bytes_.starts_with("glTF")) in_.fail("not a binary glTF file");
    in_.skip(4);
    if (const auto version = in_.read<std::uint32_t>(); version != 2)
      in_.fail_at(4, fmt::format("binary glTF of version {}, expected 2", version));
    const auto length = in_.read<std::uint32_t>();
    if (length > bytes_.size())
      in_.fail_at(8, fmt::format("{} bytes announced, there are {}", length, bytes_.size()));
    if (length < bytes_.size())
      chunks_.remarks.push_back(
          fmt::format("byte 8: {} bytes announced, there are {}", length, bytes_.size()));
  }

  std::string_view chunk(std::string_view type) {
    const std::size_t at = in_.offset();
    const auto length = in_.read<std::uint32_t>();
    if (in_.bytes_left() < 4 || length > in_.bytes_left() - 4)
      in_.fail_at(at, fmt::format("a chunk of {} bytes, there are {}", length, in_.bytes_left()));
    if (bytes_.substr(in_.offset(), 4) != type)
      in_.fail_at(at + 4, "the chunk is of type " + in_quotes(bytes_.substr(in_.offset(), 4)));
    if (length % 4 != 0)
      chunks_.remarks.push_back(
          fmt::format("byte {}: a chunk of {} bytes, which is no multiple of 4", at, length));
    in_.skip(4);
    const std::string_view content = bytes_.substr(in_.offset(), length);
    in_.skip(length);
    return content;
  }

  // Behind a chunk whose length is no multiple of 4 either the next one follows at once, or padding
  // that the length does not include.
  void skip_padding() {
    const std::size_t padding = std::min((4 - in_.offset() % 4) % 4, in_.bytes_left());
    const bool at_once = in_.bytes_left() >= 8 && bytes_.substr(in_.offset() + 4, 4) == kBinary;
    if (!at_once) in_.skip(padding);
  }

  std::string_view bytes_;
  ByteReader in_;
  GlbChunks chunks_;
};

}  // namespace

GlbChunks read_glb_chunks(std::string_view bytes, const std::string& file) {
  return ChunkReader(bytes, file).read();
}

}  // namespace touche::io
