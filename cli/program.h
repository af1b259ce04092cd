// SPDX-License-Identifier: Apache-2.0
// A program of commands with options. CLI11 reads them; only program.cpp sees it, because it costs
// more time in a source than all else there.
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

/// The exit code tells this to a program that calls us.
enum ExitCode : int { kFree = 0, kContact = 1, kError = 2 };

/// An option, as it is added to a command; lives as long as the program.
class Option {
 public:
  Option() = default;
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& required();
  Option& type_name(const char* name);
  Option& group(const char* name);
  Option& show_default();
  /// One argument, parted by commas.
  Option& list();

  // These refuse other values; the message has the option's name and what would be right.
  Option& range(double lo, double hi);
  Option& at_least(double lo);
  Option& positive();
  Option& one_of(const std::vector<std::string>& names);

  /// Names that a shell completes, for options that check them otherwise.
  Option& suggest(const std::vector<std::string>& names);

  bool given() const;
  std::string name() const;

 private:
  CLI::Option* option_ = nullptr;
};

/// A command: `touche NAME ...`.
class Command {
 public:
  using Run = std::function<int()>;

  Command(CLI::App* app, Run& run) : app_(app), run_(&run) {}

  /// `name` with dashes, or without for what is told by its place. T: int, Index, std::uint64_t,
  /// double, std::string, or a vector of int, double or std::string.
  template <class T>
  Option add(const char* name, T& value, const std::string& help);
  Option flag(const char* name, bool& value, const char* help);
  /// `take` is given the text and returns what is wrong with it: nothing, if it is empty.
  Option choice(const char* name, std::function<std::string(const std::string&)> take,
                const std::string& help);
  void remove(const char* name);
  bool given(const char* name) const;
  void footer(const std::string& text);
  /// Whatever follows its name is left alone.
  void takes_anything();
  /// Sets the work of the command, done once its options are read; it returns the exit code.
  void runs(Run run) { *run_ = std::move(run); }

 private:
  CLI::App* app_;
  Run* run_;
};

/// The knowledge of --help, for those who write it down otherwise.
struct OptionText {
  std::vector<std::string> names;  ///< with their dashes; empty for what is told by its place
  std::string value;               ///< the word that follows it, e.g. FOLDER; empty for a flag
  std::string help;
  std::vector<std::string> choices;  ///< the values there are; empty: any
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
  /// A command that --help does not name.
  Command hidden_command(const char* name, const char* what);

  /// The program itself first, then its commands; hidden ones are left out.
  std::vector<CommandText> texts() const;

  /// Reads the arguments and runs the command they name; returns its exit code, kError for what
  /// cannot be read. Throws what the command throws.
  int run(int argc, char** argv);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace touche::cli
