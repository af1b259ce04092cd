// SPDX-License-Identifier: Apache-2.0
// The numbers of a glTF file: buffers, views of them, and accessors, which say how to read a view.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/allowance.h"
#include "io/json_cursor.h"
#include "io/readers.h"

namespace touche::io {

/// Numbers in memory that stays; checked to lie in it.
struct GltfArray {
  const char* first = nullptr;  ///< null: all zero
  std::size_t stride = 0;       ///< bytes from an element to the next
  int component = 0;            ///< glTF's number of a component's type, e.g. 5126 for float
};

class GltfAccessor {
 public:
  std::size_t count() const { return count_; }
  int component() const { return array_.component; }
  bool is_normalised() const { return normalised_; }
  /// Numbers that are not in a buffer, one after the other, `width` bytes an element. The memory
  /// must stay, and must hold them all.
  static GltfAccessor of_memory(const char* first, std::size_t count, std::size_t width,
                                int component, bool normalised);
  /// An element as a real number: normalised integers are divided by the largest of their type.
  double real(std::size_t element, std::size_t k) const;
  std::uint32_t integer(std::size_t element) const;

 private:
  friend class GltfBuffers;

  struct Sparse {
    std::size_t count;
    GltfArray indices, values;  // indices ascend
  };

  // Address of an element: in the array, or among the sparse values that replace some of its
  // elements.
  const char* place(std::size_t element) const;

  std::size_t count_ = 0;
  bool normalised_ = false;
  GltfArray array_;
  std::optional<Sparse> sparse_;
};

class GltfBuffers {
 public:
  /// `binary` is the second chunk of a GLB; it must stay, and so must `allowance`.
  GltfBuffers(const JsonCursor& root, std::string_view binary, const ReadBeside& read_beside,
              Allowance& allowance);

  /// An accessor of this type ("SCALAR", "VEC3", "VEC4"). Throws LoadError for what does not fit
  /// into its buffer, and for types of components that are not among `components`.
  GltfAccessor accessor(const JsonCursor& number, std::string_view type,
                        std::initializer_list<int> components);
  const JsonCursor& entry(const JsonCursor& number) const;
  /// The bytes of a view; decoded ones are taken from the allowance.
  std::string_view view(const JsonCursor& number);
  Allowance& allowance() { return allowance_; }
  std::size_t accessor_count() const { return accessors_.size(); }

 private:
  GltfArray array(const JsonCursor& owner, int component, std::size_t width, std::size_t count,
                  bool may_stride);
  bool has_file(const JsonCursor& view) const;
  std::string_view decoded(std::size_t view, const JsonCursor& extension);
  std::string_view bytes_in_buffer(const JsonCursor& json);
  std::string_view buffer(const JsonCursor& number);
  std::string fetch(const JsonCursor& uri) const;

  std::vector<JsonCursor> accessors_, views_, buffers_;
  std::string_view binary_;
  const ReadBeside& read_beside_;
  Allowance& allowance_;
  std::map<std::size_t, std::string> fetched_;  // by the buffer's number
  std::map<std::size_t, std::string> decoded_;  // by the view's number
};

/// The entries of an array that need not be there.
std::vector<JsonCursor> entries(const JsonCursor& owner, std::string_view key);
/// What an extension says of an element, if it says something.
std::optional<JsonCursor> extension_of(const JsonCursor& owner, std::string_view name);

}  // namespace touche::io
