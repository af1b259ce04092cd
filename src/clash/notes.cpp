// SPDX-License-Identifier: Apache-2.0
// Reads and writes notes about pairs of parts (docs/clash-notes.schema.json).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "io/json_cursor.h"
#include "io/readers.h"
#include "touche/clash.h"

namespace touche {

namespace {

ClashStatus read_status(const io::JsonCursor& where) {
  const auto all = names<ClashStatus>();
  const auto found = std::find(all.begin(), all.end(), where.text());
  if (found == all.end())
    where.fail(fmt::format("\"{}\", expected one of: {}", where.text(), fmt::join(all, ", ")));
  return static_cast<ClashStatus>(found - all.begin());
}

ClashNote read_note(const io::JsonCursor& entry) {
  entry.expect_keys({"a", "b", "text", "accepted", "status", "assignee"});
  ClashNote note{entry.at("a").text(), entry.at("b").text()};
  const auto status = entry.find("status");
  if (const auto text = entry.find("text"); text || !status)
    note.text = entry.at("text").text_or_empty();
  if (const auto assignee = entry.find("assignee")) note.assignee = assignee->text_or_empty();
  if (status) note.status = read_status(*status);
  const auto accepted = entry.find("accepted");
  if (accepted || !status) {
    note.accepted = entry.at("accepted").boolean();
    if (note.accepted && !status) note.status = ClashStatus::approved;
    if (note.accepted != (note.status == ClashStatus::approved))
      accepted->fail("it contradicts the status: a pair is accepted if it is approved");
  }
  note.accepted = note.status == ClashStatus::approved;
  return note;
}

}  // namespace

std::vector<ClashNote> parse_clash_notes(std::string_view json, const std::filesystem::path& file) {
  const io::JsonCursor root = io::JsonCursor::parse(json, file.string());
  root.expect_keys({"$schema", "touche_clash_notes", "notes"});
  if (const auto version = root.at("touche_clash_notes"); version.number() != 1)
    version.fail(fmt::format("format version {}, expected 1", version.number()));
  std::vector<ClashNote> notes;
  for (const io::JsonCursor& entry : root.at("notes").items(0)) {
    ClashNote note = read_note(entry);
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
  for (const ClashNote& note : notes) {
    Json made = {{"a", note.a}, {"b", note.b}, {"text", note.text}, {"accepted", note.accepted}};
    const bool approved = note.status == ClashStatus::approved;
    if (note.status != ClashStatus::fresh && approved == note.accepted)
      made["status"] = name(note.status);
    if (!note.assignee.empty()) made["assignee"] = note.assignee;
    list.push_back(std::move(made));
  }
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

void attach_notes(ClashResult& result, const std::vector<ClashNote>& notes) {
  std::map<std::pair<std::string_view, std::string_view>, const ClashNote*> by_names;
  for (const ClashNote& note : notes)
    by_names[std::minmax<std::string_view>(note.a, note.b)] = &note;
  for (ClashPair& pair : result.pairs) {
    const std::string_view a = result.parts.parts[pair.part_a].name,
                           b = result.parts.parts[pair.part_b].name;
    const auto found = by_names.find(std::minmax(a, b));
    if (found == by_names.end()) continue;
    pair.note = *found->second;
    if (pair.note->status == ClashStatus::resolved && pair.verdict >= ClashPairVerdict::contains)
      result.remarks.push_back(fmt::format(
          "notes: {} and {} are noted as resolved, and are not: {}", a, b,
          pair.verdict == ClashPairVerdict::clash ? "they clash" : "one lies inside the other"));
  }
}

}  // namespace touche
