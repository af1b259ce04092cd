// SPDX-License-Identifier: Apache-2.0
// Reads and writes notes about pairs of parts (docs/clash-notes.schema.json).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "clash/ruling.h"
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
  std::set<std::pair<std::string, std::string>> pairs;
  for (const io::JsonCursor& entry : root.at("notes").items(0)) {
    ClashNote note = read_note(entry);
    if (note.a == note.b) entry.fail("a pair has two parts");
    if (note.b < note.a) std::swap(note.a, note.b);
    if (!pairs.emplace(note.a, note.b).second) entry.fail("the pair is noted twice");
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
  // The number of the part with a name, or of all parts together if there is none.
  const auto part_of = [&](const std::string& name) {
    const std::vector<bool> named = clash::parts_named(result.parts, name);
    return static_cast<std::size_t>(std::find(named.begin(), named.end(), true) - named.begin());
  };
  std::map<std::pair<std::size_t, std::size_t>, const ClashNote*> by_parts;
  for (const ClashNote& note : notes) {
    const std::size_t a = part_of(note.a), b = part_of(note.b), none = result.parts.parts.size();
    by_parts[std::minmax(a, b)] = &note;
    if (note.accepted) continue;  // find_clashes says so
    for (const auto& [part, name] : {std::pair(a, &note.a), std::pair(b, &note.b)})
      if (part == none)
        result.remarks.push_back(fmt::format("notes: there is no part \"{}\"", *name));
  }
  for (ClashPair& pair : result.pairs) {
    const auto found = by_parts.find({pair.part_a, pair.part_b});
    if (found == by_parts.end()) continue;
    const std::string_view a = result.parts.parts[pair.part_a].name,
                           b = result.parts.parts[pair.part_b].name;
    pair.note = *found->second;
    if (pair.note->status == ClashStatus::resolved && pair.verdict >= ClashPairVerdict::contains)
      result.remarks.push_back(fmt::format(
          "notes: {} and {} are noted as resolved, and are not: {}", a, b,
          pair.verdict == ClashPairVerdict::clash ? "they clash" : "one lies inside the other"));
  }
}

}  // namespace touche
