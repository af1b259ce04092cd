// SPDX-License-Identifier: Apache-2.0
// Reads and writes notes about pairs of parts (docs/clash-notes.schema.json).
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "io/json_cursor.h"
#include "io/readers.h"
#include "touche/clash.h"

namespace touche {

std::vector<ClashNote> parse_clash_notes(std::string_view json, const std::filesystem::path& file) {
  const io::JsonCursor root = io::JsonCursor::parse(json, file.string());
  root.expect_keys({"$schema", "touche_clash_notes", "notes"});
  if (const auto version = root.at("touche_clash_notes"); version.number() != 1)
    version.fail(fmt::format("format version {}, expected 1", version.number()));
  std::vector<ClashNote> notes;
  for (const io::JsonCursor& entry : root.at("notes").items(0)) {
    entry.expect_keys({"a", "b", "text", "accepted"});
    ClashNote note{entry.at("a").text(), entry.at("b").text(), entry.at("text").text_or_empty(),
                   entry.at("accepted").boolean()};
    if (note.a == note.b) entry.fail("a pair has two parts");
    if (note.b < note.a) std::swap(note.a, note.b);
    notes.push_back(std::move(note));
  }
  return notes;
}

std::vector<ClashNote> load_clash_notes(const std::filesystem::path& file) {
  return parse_clash_notes(io::read_file(file), file);
}

std::string clash_notes_json(const std::vector<ClashNote>& notes) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const ClashNote& note : notes)
    list.push_back(
        {{"a", note.a}, {"b", note.b}, {"text", note.text}, {"accepted", note.accepted}});
  return Json{{"touche_clash_notes", 1}, {"notes", list}}.dump(1, ' ', false,
                                                               Json::error_handler_t::replace) +
         "\n";
}

void add_accepted(ClashRules& rules, const std::vector<ClashNote>& notes) {
  for (const ClashNote& note : notes)
    if (note.accepted)
      rules.accept.push_back(
          {note.a, note.b, note.text.empty() ? "accepted by hand" : note.text, true});
}

}  // namespace touche
