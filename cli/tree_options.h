// SPDX-License-Identifier: Apache-2.0
// How a volume tree is made and searched, as options of a command.
#pragma once

#include <string>
#include <vector>

#include "program.h"
#include "touche/methods/volume_tree.h"

namespace touche::cli {

class TreeInput {
 public:
  void add_to(Command& command);

  /// Whether a tree is asked for, which `--method` does. Throws InvalidInput when only other
  /// options of trees are given: they would be without effect.
  bool wanted() const;

  /// Reads the files of costs and of directions if there are some; throws LoadError.
  TreeOptions options() const;

 private:
  TreeOptions options_;
  std::string costs_, directions_;
  Option method_;
  std::vector<Option> others_;
};

/// An option for an enumeration, by the names of its values.
template <typename Enum>
Option add_choice(Command& command, const char* option, Enum& value, const std::string& help) {
  std::string list;
  for (const auto& name : names<Enum>()) list += (list.empty() ? "" : ", ") + std::string(name);
  const std::string initial(touche::name(value));
  const auto take = [&value, list](const std::string& text) {
    for (std::size_t i = 0; i < names<Enum>().size(); ++i) {
      if (names<Enum>()[i] != text) continue;
      value = static_cast<Enum>(i);
      return std::string();
    }
    return "\"" + text + "\" is none of " + list;
  };
  return command.choice(option, take, help + ": " + list + " (default: " + initial + ")")
      .type_name("NAME")
      .suggest({names<Enum>().begin(), names<Enum>().end()});
}

}  // namespace touche::cli
