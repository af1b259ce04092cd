// SPDX-License-Identifier: Apache-2.0
#include "clash/part_names.h"

#include <algorithm>
#include <map>

namespace touche::clash {
namespace {

namespace fs = std::filesystem;

// The steps of the file's path from the root of the file system.
std::vector<std::string> steps_of(const fs::path& file) {
  std::error_code error;
  fs::path whole = fs::absolute(file, error);
  if (error) whole = file;
  std::vector<std::string> steps;
  for (const fs::path& step : whole.lexically_normal().relative_path())
    steps.push_back(step.generic_string());
  return steps;
}

// A name that may grow.
struct Name {
  std::string* text;
  PartOrigin origin;
  std::vector<std::string> file_steps;

  [[nodiscard]] bool same_part(const Name& other) const {
    return file_steps == other.file_steps && origin.node == other.origin.node;
  }
  [[nodiscard]] bool grow() {
    if (origin.file_steps == file_steps.size()) return false;
    ++origin.file_steps;
    return true;
  }
  void write() const {
    text->clear();
    for (std::size_t i = file_steps.size() - origin.file_steps; i < file_steps.size(); ++i)
      *text += (text->empty() ? "" : "/") + file_steps[i];
    if (!origin.node.empty()) *text += (text->empty() ? "" : "/") + origin.node;
  }
};

Name made(const PartOrigin& origin, std::string& text) {
  Name name{&text, origin, steps_of(origin.file)};
  name.origin.file_steps = std::min(origin.file_steps, name.file_steps.size());
  name.write();
  return name;
}

// Returns whether any name has grown.
bool tell_apart(std::vector<Name>& names) {
  std::map<std::string, std::vector<Name*>> by_text;
  for (Name& name : names) by_text[*name.text].push_back(&name);
  bool grown = false;
  for (const auto& entry : by_text) {
    const std::vector<Name*>& alike = entry.second;
    // One part that is given twice keeps its name, which is an error.
    if (std::all_of(alike.begin(), alike.end(),
                    [&](const Name* name) { return name->same_part(*alike.front()); }))
      continue;
    for (Name* name : alike) {
      if (!name->grow()) continue;
      name->write();
      grown = true;
    }
  }
  return grown;
}

}  // namespace

std::string name_of(const PartOrigin& origin) {
  std::string text;
  (void)made(origin, text);
  return text;
}

void name_parts(const std::vector<PartOrigin>& parts, const std::vector<PartOrigin>& left_out,
                ClashParts& result) {
  std::vector<Name> names;
  for (std::size_t p = 0; p < parts.size(); ++p)
    names.push_back(made(parts[p], result.parts[p].name));
  for (std::size_t i = 0; i < left_out.size(); ++i)
    names.push_back(made(left_out[i], result.left_out[i].name));
  for (ClashPart& part : result.parts) part.own_name = part.name;
  while (tell_apart(names)) {
  }
  for (ClashPart& part : result.parts)
    if (part.own_name == part.name) part.own_name.clear();
}

std::string long_name(const ClashPart& part) {
  if (part.group.empty()) return part.name;
  const std::size_t slash = part.name.rfind('/');
  return part.group + "/" + (slash == std::string::npos ? part.name : part.name.substr(slash + 1));
}

bool ends_with_steps(std::string_view name, std::string_view end) {
  if (!name.ends_with(end)) return false;
  return name.size() == end.size() || name[name.size() - end.size() - 1] == '/';
}

}  // namespace touche::clash
