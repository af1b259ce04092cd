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
  if (text.empty() && !accepted)
    notes_.erase(key);
  else
    notes_[key] = {key.first, key.second, text, accepted};

  std::vector<ClashNote> list;
  for (const auto& [pair, note] : notes_) list.push_back(note);
  io::FileWriter out(file_);
  out << clash_notes_json(list);
  out.finish();
}

}  // namespace touche::viewer
