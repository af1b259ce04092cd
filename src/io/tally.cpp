// SPDX-License-Identifier: Apache-2.0
#include "io/tally.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/text_scanner.h"

namespace touche::io {

std::string shown_name(std::string_view name) {
  const std::string quoted = in_quotes(name);
  return quoted.substr(1, quoted.size() - 2);
}

void Tally::add(std::string_view reason, std::string_view name) {
  auto count = std::find_if(counts_.begin(), counts_.end(),
                            [&](const Count& c) { return c.reason == reason; });
  if (count == counts_.end()) count = counts_.insert(count, Count{reason, 0, {}, false});
  ++count->parts;
  if (name.empty() || count->more_names) return;
  std::string shown = shown_name(name);
  std::vector<std::string>& names = count->names;
  if (std::find(names.begin(), names.end(), shown) != names.end()) return;
  if (names.size() < kMostNames)
    names.push_back(std::move(shown));
  else
    count->more_names = true;
}

std::string Tally::sentence(std::string_view ending) const {
  std::string text;
  std::size_t all = 0;
  for (const Count& c : counts_) {
    if (all == 0)
      text = fmt::format("{} {} ", c.parts, c.parts == 1 ? singular_ : plural_);
    else
      text += fmt::format("{}{} ", &c == &counts_.back() ? " and " : ", ", c.parts);
    all += c.parts;
    text += c.reason;
    if (!c.names.empty())
      text += fmt::format(" ({}{})", fmt::join(c.names, ", "), c.more_names ? ", …" : "");
  }
  return fmt::format("{} {} {}", text, all == 1 ? "is" : "are", ending);
}

}  // namespace touche::io
