// SPDX-License-Identifier: Apache-2.0
// touche generate: writes shell completion and manual pages in the layout of an installation.
#include <filesystem>

#include "commands.h"
#include "manual.h"
#include "touche/version.h"
#include "write_file.h"

namespace touche::cli {
namespace {

int run_generate(const std::vector<CommandText>& texts, const std::filesystem::path& folder) {
  const auto write = [&](const std::filesystem::path& file, const std::string& text) {
    make_folder((folder / file).parent_path());
    write_file(folder / file, text);
  };
  write("bash-completion/completions/touche", bash_completion(texts));
  write("zsh/site-functions/_touche", zsh_completion(texts));
  for (const CommandText& command : texts) {
    const std::string name = command.name == "touche" ? "touche" : "touche-" + command.name;
    write("man/man1/" + name + ".1", manual_page(texts, command, kVersion));
  }
  return kFree;
}

}  // namespace

void add_generate(Program& program) {
  Command command =
      program.hidden_command("generate", "Write completion for shells and pages for man");
  auto folder = std::make_shared<std::string>();
  command.add("folder", *folder, "Where share/ begins").required();
  command.runs([folder, &program] { return run_generate(program.texts(), *folder); });
}

}  // namespace touche::cli
