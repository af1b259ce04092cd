// SPDX-License-Identifier: Apache-2.0
#include "manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace touche::cli {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::vector<std::string> option_names(const CommandText& command) {
  std::vector<std::string> names;
  for (const OptionText& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::span<const CommandText> commands(const std::vector<CommandText>& texts) {
  return std::span(texts).subspan(1);
}

std::vector<std::string> command_names(const std::vector<CommandText>& texts) {
  std::vector<std::string> names;
  for (const CommandText& command : commands(texts)) names.push_back(command.name);
  return names;
}

// Quotes for zsh: within single quotes, brackets and colons separate the fields of a specification.
std::string zsh_quoted(std::string text) {
  for (const char* special : {"\\", "[", "]", ":"})
    text = replaced(text, special, std::string("\\") + special);
  return replaced(replaced(text, "'", "'\\''"), "\n", " ");
}

std::string zsh_values(const OptionText& option) {
  const std::string what = zsh_quoted(option.value.empty() ? "value" : option.value);
  return option.choices.empty() ? fmt::format(":{}:_files", what)
                                : fmt::format(":{}:({})", what, fmt::join(option.choices, " "));
}

// Escapes for roff: a dot or quote at the start of a line is a command, and a plain dash a hyphen.
std::string roff(const std::string& text) {
  std::string out = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  for (const char* start : {".", "'"}) {
    out = replaced(out, fmt::format("\n{}", start), fmt::format("\n\\&{}", start));
    if (out.starts_with(start)) out.insert(0, "\\&");
  }
  return out;
}

std::string roff_option(const OptionText& option) {
  std::string names = roff(fmt::format("{}", fmt::join(option.names, ", ")));
  if (!names.empty()) names = "\\fB" + names + "\\fR";
  if (!option.value.empty())
    names += fmt::format("{}\\fI{}\\fR", names.empty() ? "" : " ", roff(option.value));
  std::string help = roff(option.help);
  if (!option.choices.empty() && option.help.find(option.choices.back()) == option.help.npos)
    help += roff(fmt::format(" ({})", fmt::join(option.choices, ", ")));
  return fmt::format(".TP\n{}\n{}\n", names, help);
}

}  // namespace

std::string bash_completion(const std::vector<CommandText>& texts) {
  std::string cases, values;
  for (const CommandText& command : commands(texts)) {
    cases += fmt::format("    {}) options='{}' ;;\n", command.name,
                         fmt::join(option_names(command), " "));
    for (const OptionText& option : command.options) {
      if (option.choices.empty()) continue;
      for (const std::string& name : option.names)
        values +=
            fmt::format("    '{} {}') COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n",
                        command.name, name, fmt::join(option.choices, " "));
    }
  }
  // Bash completes file names if no words are offered.
  return fmt::format(R"(# bash completion of touche; made from its --help
_touche() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} options=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{} {}' -- "$word"))
    return
  fi
  case "${{COMP_WORDS[1]}} $before" in
{}  esac
  case "${{COMP_WORDS[1]}}" in
{}  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word")); fi
}}
complete -o bashdefault -o default -F _touche touche
)",
                     fmt::join(command_names(texts), " "),
                     fmt::join(option_names(texts.front()), " "), values, cases);
}

std::string zsh_completion(const std::vector<CommandText>& texts) {
  std::string names, cases;
  for (const CommandText& command : commands(texts)) {
    names += fmt::format("    '{}:{}'\n", command.name, zsh_quoted(first_line(command.help)));
    cases += fmt::format("    {}) _arguments \\\n", command.name);
    for (const OptionText& option : command.options) {
      for (const std::string& name : option.names)
        cases += fmt::format("      '{}[{}]{}' \\\n", name, zsh_quoted(first_line(option.help)),
                             option.value.empty() ? "" : zsh_values(option));
    }
    cases += "      '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef touche
# zsh completion of touche; made from its --help
_touche() {{
  local -a commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{}  esac
}}
_touche "$@"
)",
                     names, cases);
}

std::string manual_page(const std::vector<CommandText>& texts, const CommandText& command,
                        const std::string& version) {
  const std::string& program = texts.front().name;
  const bool is_program = &command == &texts.front();
  const std::string name = is_program ? program : program + "-" + command.name;
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  std::string page = fmt::format(
      ".\\\" Made from {} \\-\\-help.\n.TH {} 1 \"\" \"{} {}\" \"\"\n.SH NAME\n{} \\- {}\n"
      ".SH SYNOPSIS\n.B {}\n",
      program, roff(upper), program, version, roff(name), roff(replaced(command.help, "\n", " ")),
      is_program ? program : program + " " + command.name);
  if (is_program) page += ".I COMMAND\n";
  page += "[\\fIOPTIONS\\fR]";
  for (const OptionText& option : command.options)
    if (option.names.empty()) page += fmt::format(" \\fI{}\\fR", roff(option.value));
  page += "\n";
  if (is_program) {
    page += ".SH COMMANDS\n";
    for (const CommandText& other : commands(texts))
      page += fmt::format(".TP\n\\fB{}\\fR\n{}\n", other.name, roff(first_line(other.help)));
  }
  page += ".SH OPTIONS\n";
  for (const OptionText& option : command.options) page += roff_option(option);
  if (!command.footer.empty())
    page += fmt::format(".SH NOTES\n.nf\n{}\n.fi\n", roff(command.footer));
  if (is_program) {
    std::string pages;
    for (const std::string& other : command_names(texts))
      pages += fmt::format("{}\\fB{}\\fR(1)", pages.empty() ? "" : ", ",
                           roff(fmt::format("{}-{}", program, other)));
    return page + ".SH SEE ALSO\n" + pages + "\n";
  }
  return page + fmt::format(".SH SEE ALSO\n\\fB{}\\fR(1)\n", program);
}

}  // namespace touche::cli
