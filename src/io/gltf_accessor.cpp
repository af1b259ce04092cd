// SPDX-License-Identifier: Apache-2.0
#include "io/gltf_accessor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "io/meshopt.h"
#include "io/uri.h"

namespace touche::io {
namespace {

enum Component : int { kInt8 = 5120, kUint8, kInt16, kUint16, kUint32 = 5125, kFloat };
constexpr std::size_t kMaxBytes = std::size_t{1} << 52;  // every integer below is exact in JSON

std::size_t bytes_of(int component) {
  return component == kInt8 || component == kUint8     ? 1
         : component == kInt16 || component == kUint16 ? 2
                                                       : 4;
}

std::size_t offset_of(const JsonCursor& json) {
  const auto offset = json.find("byteOffset");
  return offset ? offset->below(kMaxBytes) : 0;
}

template <class T>
T load(const char* at) {
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), at, sizeof(T));
  if (std::endian::native == std::endian::big) std::reverse(raw.begin(), raw.end());
  return std::bit_cast<T>(raw);
}

template <class T>
double load_real(const char* at, bool normalised) {
  const double value = load<T>(at);
  if (!normalised) return value;
  return std::max(value / static_cast<double>(std::numeric_limits<T>::max()), -1.);
}

}  // namespace

std::vector<JsonCursor> entries(const JsonCursor& owner, std::string_view key) {
  const auto found = owner.find(key);
  return found ? found->items(0) : std::vector<JsonCursor>();
}

std::optional<JsonCursor> extension_of(const JsonCursor& owner, std::string_view name) {
  const auto extensions = owner.find("extensions");
  return extensions ? extensions->find(name) : std::nullopt;
}

GltfAccessor GltfAccessor::of_memory(const char* first, std::size_t count, std::size_t width,
                                     int component, bool normalised) {
  GltfAccessor result;
  result.count_ = count;
  result.normalised_ = normalised;
  result.array_ = {first, width, component};
  return result;
}

const char* GltfAccessor::place(std::size_t element) const {
  if (sparse_) {
    const Sparse& s = *sparse_;
    const auto index = [&](std::size_t i) {
      const char* at = s.indices.first + i * s.indices.stride;
      return s.indices.component == kUint8    ? load<std::uint8_t>(at)
             : s.indices.component == kUint16 ? load<std::uint16_t>(at)
                                              : load<std::uint32_t>(at);
    };
    std::size_t lo = 0, hi = s.count;
    while (lo < hi) {
      const std::size_t middle = (lo + hi) / 2;
      (index(middle) < element ? lo : hi) = index(middle) < element ? middle + 1 : middle;
    }
    if (lo < s.count && index(lo) == element) return s.values.first + lo * s.values.stride;
  }
  return array_.first == nullptr ? nullptr : array_.first + element * array_.stride;
}

double GltfAccessor::real(std::size_t element, std::size_t k) const {
  const char* at = place(element);
  if (at == nullptr) return 0;
  at += k * bytes_of(array_.component);
  switch (array_.component) {
    case kInt8:
      return load_real<std::int8_t>(at, normalised_);
    case kUint8:
      return load_real<std::uint8_t>(at, normalised_);
    case kInt16:
      return load_real<std::int16_t>(at, normalised_);
    case kUint16:
      return load_real<std::uint16_t>(at, normalised_);
    case kUint32:
      return load_real<std::uint32_t>(at, normalised_);
    default:
      return static_cast<double>(load<float>(at));
  }
}

std::uint32_t GltfAccessor::integer(std::size_t element) const {
  const char* at = place(element);
  if (at == nullptr) return 0;
  return array_.component == kUint8    ? load<std::uint8_t>(at)
         : array_.component == kUint16 ? load<std::uint16_t>(at)
                                       : load<std::uint32_t>(at);
}

GltfBuffers::GltfBuffers(const JsonCursor& root, std::string_view binary,
                         const ReadBeside& read_beside, Allowance& allowance)
    : accessors_(entries(root, "accessors")),
      views_(entries(root, "bufferViews")),
      buffers_(entries(root, "buffers")),
      binary_(binary),
      read_beside_(read_beside),
      allowance_(allowance) {}

const JsonCursor& GltfBuffers::entry(const JsonCursor& number) const {
  return accessors_[number.below(accessors_.size())];
}

GltfAccessor GltfBuffers::accessor(const JsonCursor& number, std::string_view type,
                                   std::initializer_list<int> components) {
  const JsonCursor& json = entry(number);
  if (const std::string found = json.at("type").text(); found != type)
    json.fail(fmt::format("accessor of type {}, expected {}", found, type));
  const auto component = static_cast<int>(json.at("componentType").below(10000));
  if (std::find(components.begin(), components.end(), component) == components.end())
    json.fail(fmt::format("components of type {}, expected one of: {}", component,
                          fmt::join(components, ", ")));
  const std::size_t width = bytes_of(component) * (type == "VEC4" ? 4 : type == "VEC3" ? 3 : 1);

  GltfAccessor result;
  result.count_ = json.at("count").count(kNone - 1);
  result.array_.component = component;
  if (const auto normalised = json.find("normalized")) result.normalised_ = normalised->boolean();
  if (json.has("bufferView")) result.array_ = array(json, component, width, result.count_, true);
  if (const auto sparse = json.find("sparse")) {
    const std::size_t count = sparse->at("count").count(result.count_);
    const JsonCursor indices = sparse->at("indices");
    const auto index_type = static_cast<int>(indices.at("componentType").below(10000));
    if (index_type != kUint8 && index_type != kUint16 && index_type != kUint32)
      indices.fail(fmt::format("indices of type {}", index_type));
    GltfAccessor list;
    list.array_ = array(indices, index_type, bytes_of(index_type), count, false);
    for (std::size_t i = 0; i < count; ++i)
      if (list.integer(i) >= result.count_ || (i > 0 && list.integer(i) <= list.integer(i - 1)))
        indices.fail(fmt::format("index {} is {}: it does not ascend or is out of range", i,
                                 list.integer(i)));
    result.sparse_ = {count, list.array_,
                      array(sparse->at("values"), component, width, count, false)};
  }
  return result;
}

// `count` elements of `width` bytes in the view that `owner` names.
GltfArray GltfBuffers::array(const JsonCursor& owner, int component, std::size_t width,
                             std::size_t count, bool may_stride) {
  const JsonCursor number = owner.at("bufferView");
  const std::string_view bytes = view(number);
  GltfArray result;
  result.component = component;
  const auto stride = views_[number.below(views_.size())].find("byteStride");
  result.stride = may_stride && stride ? stride->below(253) : width;
  const std::size_t begin = offset_of(owner), needed = (count - 1) * result.stride + width;
  if (result.stride < width || begin > bytes.size() || needed > bytes.size() - begin)
    owner.fail(fmt::format("{} elements, {} bytes apart, from byte {} of a view of {}", count,
                           result.stride, begin, bytes.size()));
  result.first = bytes.data() + begin;
  return result;
}

std::string_view GltfBuffers::view(const JsonCursor& number) {
  const std::size_t index = number.below(views_.size());
  const JsonCursor& json = views_[index];
  if (extension_of(json, "KHR_meshopt_compression"))
    json.fail("KHR_meshopt_compression is not read; save the file without it");
  const auto meshopt = extension_of(json, "EXT_meshopt_compression");
  // A buffer with data of its own is there for programs that do not read the extension.
  const bool plain = !meshopt || (!reads_meshopt() && has_file(json));
  if (plain) return bytes_in_buffer(json);
  const std::string_view bytes = decoded(index, *meshopt);
  const std::size_t length = json.at("byteLength").below(kMaxBytes);
  if (length > bytes.size())
    json.fail(fmt::format("a view of {} bytes, {} of which are compressed", length, bytes.size()));
  return bytes.substr(0, length);
}

bool GltfBuffers::has_file(const JsonCursor& view) const {
  return buffers_[view.at("buffer").below(buffers_.size())].has("uri");
}

std::string_view GltfBuffers::decoded(std::size_t view, const JsonCursor& extension) {
  const auto known = decoded_.find(view);
  if (known != decoded_.end()) return known->second;
  const MeshoptView compressed(extension);
  // Also of a view that turns out damaged: many accessors may refer to it.
  allowance_.take(compressed.bytes(), extension.path());
  const std::string_view bytes = bytes_in_buffer(extension);
  return decoded_.emplace(view, meshopt_decoded(compressed, bytes, extension)).first->second;
}

// The bytes that a view, or the extension of a compressed one, names.
std::string_view GltfBuffers::bytes_in_buffer(const JsonCursor& json) {
  const std::string_view bytes = buffer(json.at("buffer"));
  const std::size_t begin = offset_of(json), length = json.at("byteLength").below(kMaxBytes);
  if (begin > bytes.size() || length > bytes.size() - begin)
    json.fail(fmt::format("bytes {} to {} of a buffer of {}", begin, begin + length, bytes.size()));
  return bytes.substr(begin, length);
}

std::string_view GltfBuffers::buffer(const JsonCursor& number) {
  const std::size_t index = number.below(buffers_.size());
  const JsonCursor& json = buffers_[index];
  const std::size_t length = json.at("byteLength").below(kMaxBytes);
  std::string_view bytes;
  if (const auto uri = json.find("uri")) {
    if (!fetched_.contains(index)) fetched_.emplace(index, fetch(*uri));
    bytes = fetched_.at(index);
  } else if (index == 0 && binary_.data() != nullptr) {
    bytes = binary_;
  } else {
    json.fail("the buffer has no data");
  }
  if (bytes.size() < length)
    json.fail(fmt::format("{} bytes announced, there are {}", length, bytes.size()));
  return bytes.substr(0, length);
}

// Data inside the text, or a file beside this one; nothing from elsewhere.
std::string GltfBuffers::fetch(const JsonCursor& uri) const {
  const std::string text = uri.text();
  if (text.starts_with("data:")) {
    const std::size_t comma = text.find(',');
    if (comma == text.npos || !std::string_view(text).substr(0, comma).ends_with(";base64"))
      uri.fail("the data are not base64");
    auto bytes = base64_decoded(std::string_view(text).substr(comma + 1));
    if (!bytes) uri.fail("the data are not base64");
    return std::move(*bytes);
  }
  const std::filesystem::path name = percent_decoded(text);
  const bool climbs = std::find(name.begin(), name.end(), "..") != name.end();
  if (name.is_absolute() || climbs || text.find("://") != text.npos)
    uri.fail("a buffer must be a file in the same folder or below it");
  try {
    return read_beside_(name.string());
  } catch (const LoadError& e) {  // it names the missing file, but not the referring element
    uri.fail(e.what());
  }
}

}  // namespace touche::io
