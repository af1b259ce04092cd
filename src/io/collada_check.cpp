// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include "io/readers.h"
#include "io/text_scanner.h"

namespace touche::io {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// The value of an attribute inside a start tag; empty when it is not there.
std::string_view attribute(std::string_view tag, std::string_view name) {
  for (std::size_t at = tag.find(name); at != tag.npos; at = tag.find(name, at + 1)) {
    const std::size_t equals = tag.find_first_not_of(kBlanks, at + name.size());
    if (at == 0 || kBlanks.find(tag[at - 1]) == kBlanks.npos) continue;
    if (equals == tag.npos || tag[equals] != '=') continue;
    const std::size_t open = tag.find_first_of("\"'", equals);
    if (open == tag.npos) return {};
    return tag.substr(open + 1, tag.find(tag[open], open + 1) - open - 1);
  }
  return {};
}

std::size_t number(std::string_view text, std::size_t otherwise) {
  std::size_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stop == text.data() + text.size() ? value : otherwise;
}

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  for (std::size_t at = text.find_first_not_of(kBlanks); at != text.npos; ++words) {
    const std::size_t end = text.find_first_of(kBlanks, at);
    at = end == text.npos ? end : text.find_first_not_of(kBlanks, end);
  }
  return words;
}

bool is_element(std::string_view tag, std::string_view name) {
  return tag.starts_with(name) && tag.size() > name.size() &&
         (tag[name.size()] == '>' || kBlanks.find(tag[name.size()]) != kBlanks.npos);
}

}  // namespace

// Looks at the text only: each <float_array> with the <accessor>s up to the next
// one, and the lists of indices.
void check_collada_arrays(std::string_view bytes, const std::string& file) {
  constexpr auto kUnknown = static_cast<std::size_t>(-1);
  std::size_t values = kUnknown;
  for (std::size_t at = bytes.find('<'); at != bytes.npos; at = bytes.find('<', at + 1)) {
    const std::string_view rest = bytes.substr(at + 1);
    if (rest.starts_with("source")) values = kUnknown;  // until its array, which may be of names
    const bool is_indices = is_element(rest, "p") || is_element(rest, "vcount");
    const bool is_array = rest.starts_with("float_array");
    if (!is_array && !is_indices && !rest.starts_with("accessor")) continue;
    const std::string_view tag = rest.substr(0, rest.find('>'));
    const std::size_t count = number(attribute(tag, "count"), 0);
    const auto fail = [&](const std::string& reason) {
      const auto line = 1 + std::count(bytes.begin(), bytes.begin() + static_cast<long>(at), '\n');
      throw LoadError(file, std::to_string(line), reason);
    };
    const std::string_view after = rest.substr(std::min(rest.size(), tag.size() + 1));
    const std::string_view text = tag.ends_with('/') ? "" : after.substr(0, after.find('<'));
    if (is_indices) {
      const std::size_t odd = text.find_first_not_of("0123456789 \t\r\n");
      if (odd != text.npos) fail("a list of indices holds " + quoted(text.substr(odd, 1)));
    } else if (is_array) {
      values = count_words(text);
      if (values != count) {
        fail("an array of " + std::to_string(values) + " numbers announces " +
             std::to_string(count));
      }
    } else if (values != kUnknown) {
      const std::size_t stride = number(attribute(tag, "stride"), 1);
      const std::size_t offset = number(attribute(tag, "offset"), 0);
      if (offset > values || (stride > 0 && count > (values - offset) / stride)) {
        fail("an accessor reads beyond the " + std::to_string(values) + " numbers of its array");
      }
    }
  }
}

}  // namespace touche::io
