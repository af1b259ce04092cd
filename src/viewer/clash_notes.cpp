// SPDX-License-Identifier: Apache-2.0
#include "viewer/clash_notes.h"

#include "io/file_writer.h"

namespace touche::viewer {
namespace {

std::pair<std::string, std::string> key_of(const std::string& a, const std::string& b) {
  return a <= b ? std::pair(a, b) : std::pair(b, a);
}

}  // namespace

ClashNotes::ClashNotes(std::filesystem::path file) : file_(std::move(file)) {
  std::error_code error;
  if (!std::filesystem::exists(file_, error)) return;
  for (ClashNote& note : load_clash_notes(file_))
    notes_.insert_or_assign(std::pair(note.a, note.b), std::move(note));
}

const ClashNote* ClashNotes::find(const std::string& a, const std::string& b) const {
  const auto found = notes_.find(key_of(a, b));
  return found == notes_.end() ? nullptr : &found->second;
}

void ClashNotes::set(const std::string& a, const std::string& b, const std::string& text,
                     bool accepted) {
  const auto key = key_of(a, b);
  ClashNote& note = notes_[key];
  note.a = key.first;
  note.b = key.second;
  note.text = text;
  note.accepted = accepted;
  // The viewer knows approved and not approved; other states of the work are kept.
  if (accepted)
    note.status = ClashStatus::approved;
  else if (note.status == ClashStatus::approved)
    note.status = ClashStatus::fresh;
  if (text.empty() && note.status == ClashStatus::fresh && note.assignee.empty()) notes_.erase(key);

  std::vector<ClashNote> list;
  list.reserve(notes_.size());
  for (const auto& [pair, kept] : notes_) list.push_back(kept);
  io::FileWriter out(file_);
  out << clash_notes_json(list);
  out.finish();
}

}  // namespace touche::viewer
