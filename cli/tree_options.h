// SPDX-License-Identifier: Apache-2.0
// Command-line options for building and searching a volume tree.
#pragma once

#include <string>
#include <vector>

#include "program.h"
#include "touche/methods/volume_tree.h"

namespace touche::cli {

class TreeInput {
 public:
  void add_to(Command& command);

  /// Returns whether a tree is requested, which --method does. Throws InvalidInput if only other
  /// tree options are given, since they would have no effect.
  bool wanted() const;

  /// Reads the files of costs and directions, if given; throws LoadError.
  TreeOptions options() const;

 private:
  TreeOptions options_;
  std::string costs_, directions_;
  Option method_;
  std::vector<Option> others_;
};

/// Adds an option for an enumeration, with the names of its values.
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
    return "\"" + text + "\" is not one of " + list;
  };
  return command.choice(option, take, help + ": " + list + " (default: " + initial + ")")
      .type_name("NAME")
      .suggest({names<Enum>().begin(), names<Enum>().end()});
}

}  // namespace touche::cli
