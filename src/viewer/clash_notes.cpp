// SPDX-License-Identifier: Apache-2.0
#include "viewer/clash_notes.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "touche/types.h"

namespace touche::viewer {
namespace {

using Json = nlohmann::ordered_json;

std::pair<std::string, std::string> key_of(const std::string& a, const std::string& b) {
  return a <= b ? std::pair(a, b) : std::pair(b, a);
}

}  // namespace

ClashNotes::ClashNotes(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream in(file_, std::ios::binary);
  if (!in) return;
  try {
    const Json json = Json::parse(in);
    if (json.at("touche_clash_notes") != 1)
      throw LoadError(file_.string(), "/touche_clash_notes", "unknown version of this format");
    for (const Json& note : json.at("notes"))
      notes_[key_of(note.at("a").get<std::string>(), note.at("b").get<std::string>())] = {
          note.at("text").get<std::string>(), note.at("accepted").get<bool>()};
  } catch (const Json::exception& error) {
    throw LoadError(file_.string(), "", error.what());
  }
}

const ClashNote* ClashNotes::find(const std::string& a, const std::string& b) const {
  const auto found = notes_.find(key_of(a, b));
  return found == notes_.end() ? nullptr : &found->second;
}

void ClashNotes::set(const std::string& a, const std::string& b, ClashNote note) {
  if (note.text.empty() && !note.accepted)
    notes_.erase(key_of(a, b));
  else
    notes_[key_of(a, b)] = std::move(note);

  Json list = Json::array();
  for (const auto& [pair, written] : notes_)
    list.push_back({{"a", pair.first},
                    {"b", pair.second},
                    {"text", written.text},
                    {"accepted", written.accepted}});
  const std::filesystem::path fresh = file_.string() + ".new";
  std::ofstream out(fresh, std::ios::binary);
  out << Json{{"touche_clash_notes", 1}, {"notes", list}}.dump(1, ' ', false,
                                                               Json::error_handler_t::replace)
      << '\n';
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(fresh, file_, error);
  if (!out || error) throw LoadError(file_.string(), "", "it cannot be written");
}

}  // namespace touche::viewer
