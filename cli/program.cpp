// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <map>

namespace touche::cli {
namespace {

// Not CLI11's own checks: they need the type, and print the end of a type as a limit.
CLI::Validator check(const std::string& what, const std::function<bool(double)>& good) {
  return CLI::Validator(
      [what, good](const std::string& text) {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && good(value)) return std::string();
        return fmt::format("{} is not {}", text, what);
      },
      what);
}

}  // namespace

Option& Option::required() { return option_->required(), *this; }
Option& Option::type_name(const char* name) { return option_->type_name(name), *this; }
Option& Option::group(const char* name) { return option_->group(name), *this; }
Option& Option::show_default() { return option_->capture_default_str(), *this; }
Option& Option::list() { return option_->delimiter(','), *this; }

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

bool Option::given() const { return option_->count() > 0; }
std::string Option::name() const { return option_->get_name(); }

template <class T>
Option Command::add(const char* name, T& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
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

void Command::remove(const char* name) { app_->remove_option(app_->get_option(name)); }
bool Command::given(const char* name) const { return app_->count(name) > 0; }
void Command::footer(const std::string& text) { app_->footer(text); }

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

int Program::run(int argc, char** argv) {
  CLI::App& app = state_->app;
  if (argc < 2) {
    std::fputs(app.help().c_str(), stderr);
    return kError;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kFree : kError;
  }
  return state_->runs.at(app.get_subcommands().front())();
}

}  // namespace touche::cli
