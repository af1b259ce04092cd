// SPDX-License-Identifier: Apache-2.0
#include "viewer/unpack.h"

#include <zlib.h>

#include "touche/types.h"

namespace touche::viewer {

std::string unpacked(std::string_view gzip) {
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(gzip.data()));
  stream.avail_in = static_cast<uInt>(gzip.size());
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw Error("no memory to unpack");
  std::string text, piece(1 << 16, '\0');
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    state = inflate(&stream, Z_NO_FLUSH);
    text.append(piece, 0, piece.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END) throw Error("a file of the page is damaged");
  return text;
}

}  // namespace touche::viewer
