// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <numeric>
#include <string_view>
#include <type_traits>
#include <vector>

namespace touche::cli {
namespace {

// Replaces CLI11's own checks, which need the type and print its largest value as a limit.
CLI::Validator check(const std::string& what, const std::function<bool(double)>& good) {
  return CLI::Validator(
      [what, good](const std::string& text) {
        double value = 0;
        if (!CLI::detail::lexical_cast(text, value)) return fmt::format("{} is not a number", text);
        return good(value) ? std::string() : fmt::format("{} is not {}", text, what);
      },
      what);
}

// Hides a check from --help.
CLI::Validator unnamed(CLI::Validator check) { return check.description(""); }

}  // namespace

Option& Option::required() { return option_->required(), *this; }
Option& Option::type_name(const char* name) { return option_->type_name(name), *this; }
Option& Option::group(const char* name) { return option_->group(name), *this; }
Option& Option::show_default() { return option_->capture_default_str(), *this; }
Option& Option::list() { return option_->delimiter(','), *this; }

Option& Option::texts() {
  option_->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return *this;
}

std::vector<std::string> separated(const std::vector<std::string>& lists) {
  std::vector<std::string> texts;
  for (const std::string& list : lists) {
    texts.emplace_back();
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list.compare(i, 2, "\\,") == 0)
        texts.back() += list[++i];
      else if (list[i] == ',')
        texts.emplace_back();
      else
        texts.back() += list[i];
    }
  }
  std::erase(texts, "");
  return texts;
}

Option& Option::range(double lo, double hi) {
  option_->check(check(fmt::format("from {} to {}", lo, hi),
                       [lo, hi](double x) { return x >= lo && x <= hi; }));
  return *this;
}
Option& Option::at_least(double lo) {
  option_->check(check(fmt::format("at least {}", lo), [lo](double x) { return x >= lo; }));
  return *this;
}
Option& Option::positive() {
  option_->check(check("more than 0", [](double x) { return x > 0; }));
  return *this;
}
Option& Option::one_of(const std::vector<std::string>& names) {
  return option_->check(CLI::IsMember(names)), *this;
}

// An inactive check that only stores the names.
Option& Option::suggest(const std::vector<std::string>& names) {
  CLI::Validator kept("");
  kept.name(fmt::format("{}", fmt::join(names, ","))).active(false);
  return option_->check(kept), *this;
}

bool Option::given() const { return option_->count() > 0; }
std::string Option::name() const { return option_->get_name(); }

template <class T>
Option Command::add(const char* name, T& value, const std::string& help) {
  CLI::Option* option = app_->add_option(name, value, help);
  // CLI11 accepts -1 as the largest unsigned number, and "" as an option that was not given.
  if constexpr (std::is_unsigned_v<T>)
    option->check(unnamed(check("a whole number of 0 or more", [](double x) { return x >= 0; })));
  if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::vector<std::string>>)
    option->check(unnamed(CLI::Validator(
        [](const std::string& text) { return text.empty() ? "the value is empty" : ""; }, "")));
  return Option(option);
}
template Option Command::add(const char*, int&, const std::string&);
template Option Command::add(const char*, std::uint32_t&, const std::string&);
template Option Command::add(const char*, std::uint64_t&, const std::string&);
template Option Command::add(const char*, double&, const std::string&);
template Option Command::add(const char*, std::string&, const std::string&);
template Option Command::add(const char*, std::vector<int>&, const std::string&);
template Option Command::add(const char*, std::vector<double>&, const std::string&);
template Option Command::add(const char*, std::vector<std::string>&, const std::string&);

Option Command::flag(const char* name, bool& value, const char* help) {
  return Option(app_->add_flag(name, value, help));
}

Option Command::choice(const char* name, std::function<std::string(const std::string&)> take,
                       const std::string& help) {
  return Option(app_->add_option_function<std::string>(
      name,
      [name, take = std::move(take)](const std::string& text) {
        if (const std::string wrong = take(text); !wrong.empty())
          throw CLI::ValidationError(name, wrong);
      },
      help));
}

// With a value or without, so that the error is the same for options and for flags.
void Command::absent(const char* name, const std::string& error) {
  app_->add_option_function<std::vector<std::string>>(
          name, [name, error](
                    const std::vector<std::string>&) { throw CLI::ValidationError(name, error); })
      ->expected(0, 1)
      ->group("");
}

void Command::remove(const char* name) { app_->remove_option(app_->get_option(name)); }
bool Command::given(const char* name) const { return app_->count(name) > 0; }
void Command::footer(const std::string& text) { app_->footer(text); }
void Command::takes_anything() { app_->prefix_command(); }

struct Program::State {
  CLI::App app;
  std::map<const CLI::App*, Command::Run> runs;
};

Program::Program(const char* name, const char* what, const char* footer,
                 std::function<std::string()> version)
    : state_(std::make_unique<State>()) {
  CLI::App& app = state_->app;
  app.name(name);
  app.description(what);
  app.footer(footer);
  app.set_version_flag("--version", std::move(version),
                       "Print version and SIMD targets, then exit");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
}

Program::~Program() = default;

Command Program::command(const char* name, const char* what) {
  CLI::App* app = state_->app.add_subcommand(name, what);
  return Command(app, state_->runs[app]);
}

Command Program::hidden_command(const char* name, const char* what) {
  Command command = this->command(name, what);
  state_->app.get_subcommand(name)->group("");
  return command;
}

namespace {

// Splits "NAME:{a,b}" into value and choices; from "UINT:from 0 to 2" takes the value only.
void read_value(const CLI::Option& option, OptionText& text) {
  const std::string type = option.get_type_name();
  text.value = type.substr(0, type.find(':'));
  std::string list;
  try {
    for (int i = 0; list.empty(); ++i)
      list = const_cast<CLI::Option&>(option).get_validator(i)->get_name();
  } catch (const CLI::OptionNotFound&) {
  }
  const std::size_t open = type.find('{'), close = type.find('}');
  if (list.empty() && open != type.npos && close != type.npos)
    list = type.substr(open + 1, close - open - 1);
  if (!list.empty()) text.choices = CLI::detail::split(list, ',');
}

CommandText text_of(const CLI::App& app) {
  CommandText command{app.get_name(), app.get_description(), app.get_footer(), {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // an absent option
    OptionText text;
    for (const std::string& name : option->get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) text.names.push_back("--" + name);
    const bool is_flag = option->get_items_expected_max() == 0;
    if (!is_flag) read_value(*option, text);
    if (text.names.empty()) text.value = option->get_name(true);
    text.help = option->get_description();
    text.required = option->get_required();
    command.options.push_back(std::move(text));
  }
  return command;
}

}  // namespace

std::vector<CommandText> Program::texts() const {
  const CLI::App& app = state_->app;
  std::vector<CommandText> texts = {text_of(app)};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) texts.push_back(text_of(*command));
  return texts;
}

namespace {

/// Levenshtein distance: insertions, deletions and substitutions of letters.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t before = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = before + (a[i] == b[j] ? 0 : 1);
      before = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// The error message for a first argument that should be a command but is not; empty if it is one.
std::string unknown_command(const CLI::App& app, std::string_view word) {
  constexpr std::size_t kMistakes = 2;
  if (word.starts_with('-')) return "";
  std::string nearest;
  std::size_t least = kMistakes + 1;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == word) return "";
    if (command->get_group().empty()) continue;
    const std::size_t distance = edit_distance(word, command->get_name());
    if (distance >= least) continue;
    least = distance;
    nearest = command->get_name();
  }
  const std::string hint = nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest);
  return fmt::format("there is no command \"{}\"{}", word, hint);
}

/// "missing: file_b; usage: touche toi [OPTIONS] file_a file_b", for missing positional arguments;
/// empty if none is missing.
std::string missing(const CLI::App& app) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  if (commands.empty()) return "";
  const CLI::App& command = *commands.front();
  std::string usage, absent;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = option->get_name(true);
    usage += fmt::format(" {}{}", name, option->get_items_expected_max() > 1 ? "..." : "");
    if (option->get_required() && option->count() == 0)
      absent += (absent.empty() ? "" : ", ") + name;
  }
  if (absent.empty()) return "";
  return fmt::format("missing: {}; usage: {} {} [OPTIONS]{}", absent, app.get_name(),
                     command.get_name(), usage);
}

}  // namespace

int Program::run(int argc, char** argv) {
  CLI::App& app = state_->app;
  if (argc < 2) {
    std::fputs(app.help().c_str(), stderr);
    return kError;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e) == 0 ? kFree : kError;
    std::string better = argc > 1 ? unknown_command(app, argv[1]) : "";
    if (dynamic_cast<const CLI::RequiredError*>(&e) != nullptr && better.empty())
      better = missing(app);
    std::fprintf(stderr, "%s: %s\nRun with --help for more information.\n", app.get_name().c_str(),
                 better.empty() ? e.what() : better.c_str());
    return kError;
  }
  return state_->runs.at(app.get_subcommands().front())();
}

}  // namespace touche::cli
