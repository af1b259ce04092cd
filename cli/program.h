// SPDX-License-Identifier: Apache-2.0
// A program with commands and options. CLI11 parses them; only program.cpp includes it, because it
// is slow to compile.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace touche::cli {

/// Exit codes of the program. kOpen: surfaces are free, but a part is open, so what lies inside it
/// is unknown.
enum ExitCode : int { kFree = 0, kContact = 1, kError = 2, kOpen = 3 };

/// Help of the option that makes kFree of kOpen.
inline constexpr const char* kSurfacesHelp =
    "Only surfaces count: the exit code is 0, not 3, where a part is open";

/// An option of a command. Valid as long as the program.
class Option {
 public:
  Option() = default;
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& required();
  Option& type_name(const char* name);
  Option& group(const char* name);
  Option& show_default();
  /// Makes the option take one argument that is a comma-separated list.
  Option& list();
  /// The same for texts that may contain commas, written as "\,". The option may be repeated.
  Option& texts();

  // These reject other values; the message names the option and the valid values.
  Option& range(double lo, double hi);
  Option& at_least(double lo);
  Option& positive();
  Option& one_of(const std::vector<std::string>& names);

  /// Names for shell completion, for options whose values are checked elsewhere.
  Option& suggest(const std::vector<std::string>& names);

  bool given() const;
  std::string name() const;

 private:
  CLI::Option* option_ = nullptr;
};

/// The texts in the lists of Option::texts().
std::vector<std::string> separated(const std::vector<std::string>& lists);

/// A command: `touche NAME ...`.
class Command {
 public:
  using Run = std::function<int()>;

  Command(CLI::App* app, Run& run) : app_(app), run_(&run) {}

  /// Adds an option if `name` starts with dashes, else a positional argument. T: int, Index,
  /// std::uint64_t, double, std::string, or a vector of int, double or std::string.
  template <class T>
  Option add(const char* name, T& value, const std::string& help);
  Option flag(const char* name, bool& value, const char* help);
  /// `take` receives the text and returns an error message, empty if the text is valid.
  Option choice(const char* name, std::function<std::string(const std::string&)> take,
                const std::string& help);
  /// An option that this program was built without: --help does not name it, giving it is an error
  /// that says what brings it.
  void absent(const char* name, const std::string& error);
  void remove(const char* name);
  bool given(const char* name) const;
  void footer(const std::string& text);
  /// Passes all arguments after the command's name through unparsed.
  void takes_anything();
  /// Sets the function that runs after the options are parsed; it returns the exit code.
  void runs(Run run) { *run_ = std::move(run); }

 private:
  CLI::App* app_;
  Run* run_;
};

/// The contents of --help, for completion scripts and manual pages.
struct OptionText {
  std::vector<std::string> names;  ///< with dashes; empty for positional arguments
  std::string value;               ///< name of its value, e.g. FOLDER; empty for a flag
  std::string help;
  std::vector<std::string> choices;  ///< the valid values; empty: any
  bool required = false;
};
struct CommandText {
  std::string name, help, footer;
  std::vector<OptionText> options;
};

class Program {
 public:
  Program(const char* name, const char* what, const char* footer,
          std::function<std::string()> version);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Command command(const char* name, const char* what);
  /// Adds a command that --help does not list.
  Command hidden_command(const char* name, const char* what);

  /// The program's own text first, then the ones of its commands without the hidden ones.
  std::vector<CommandText> texts() const;

  /// Parses the arguments and runs the command they name. Returns the command's exit code, or
  /// kError if they are invalid. Throws what the command throws.
  int run(int argc, char** argv);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace touche::cli
