// SPDX-License-Identifier: Apache-2.0
// glTF files made in tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io_files.h"

namespace touche::test {

inline std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += k <= bytes.size() - i ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

template <class T>
std::string raws(const std::vector<T>& values) {
  std::string out;
  for (const T value : values) out += raw(value);
  return out;
}

/// A document with one buffer, views that part it, accessors and whatever else is given.
class GltfFile {
 public:
  /// Adds bytes and an accessor of them; returns the accessor's number as text.
  std::string array(const std::string& bytes, int component, const char* type, std::size_t count,
                    const std::string& more = "") {
    const std::string view = this->view(bytes);
    return accessor("\"bufferView\":" + view + ",\"componentType\":" + std::to_string(component) +
                    ",\"type\":\"" + type + "\",\"count\":" + std::to_string(count) + more);
  }
  /// `length`: that the view announces, if it is another.
  std::string view(const std::string& bytes, const std::string& more = "", std::size_t length = 0) {
    buffer_.resize((buffer_.size() + 3) / 4 * 4);
    add(views_, "\"buffer\":0,\"byteOffset\":" + std::to_string(buffer_.size()) +
                    ",\"byteLength\":" + std::to_string(length > 0 ? length : bytes.size()) + more);
    buffer_ += bytes;
    return std::to_string(view_count_++);
  }
  std::string accessor(const std::string& members) {
    add(accessors_, members);
    return std::to_string(accessor_count_++);
  }
  std::string positions(const std::vector<float>& xyz) {
    return array(raws(xyz), 5126, "VEC3", xyz.size() / 3);
  }

  /// `rest` are further members of the document.
  std::string document(const std::string& rest, const std::string& uri) const {
    return "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":" +
           std::to_string(buffer_.size()) + (uri.empty() ? "" : ",\"uri\":\"" + uri + "\"") +
           "}],\"bufferViews\":[" + views_ + "],\"accessors\":[" + accessors_ + "]," + rest + "}";
  }
  std::string text(const std::string& rest) const {
    return document(rest, "data:application/octet-stream;base64," + base64(buffer_));
  }
  std::string binary(const std::string& rest) const { return glb(document(rest, ""), buffer_); }
  const std::string& buffer() const { return buffer_; }

  static std::string glb(std::string json, std::string binary) {
    json.resize((json.size() + 3) / 4 * 4, ' ');
    binary.resize((binary.size() + 3) / 4 * 4);
    const auto u32 = [](std::size_t n) { return raw(static_cast<std::uint32_t>(n)); };
    return "glTF" + u32(2) + u32(28 + json.size() + binary.size()) + u32(json.size()) + "JSON" +
           json + u32(binary.size()) + std::string("BIN\0", 4) + binary;
  }

 private:
  static void add(std::string& list, const std::string& members) {
    list += (list.empty() ? "{" : ",{") + members + "}";
  }

  std::string buffer_, views_, accessors_;
  int view_count_ = 0, accessor_count_ = 0;
};

/// One scene of nodes, which are the members of JSON objects each.
inline std::string nodes(const std::vector<std::string>& all, const std::string& roots = "0") {
  std::string out = "\"scene\":0,\"scenes\":[{\"nodes\":[" + roots + "]}],\"nodes\":[";
  for (std::size_t i = 0; i < all.size(); ++i) out += (i > 0 ? ",{" : "{") + all[i] + "}";
  return out + "]";
}

}  // namespace touche::test
