// SPDX-License-Identifier: Apache-2.0
// `touche generate` writes for shells and for man what --help says.
#include <gtest/gtest.h>

#include "cli_run.h"

namespace touche::cli_manual_test {
namespace {

using test::has;
using test::Outcome;
using test::StudyFolder;
using test::touche_cli;

class CliManual : public testing::Test {
 protected:
  CliManual() { EXPECT_EQ(touche_cli(folder_, "generate share").exit_code, 0); }

  std::string text(const std::string& file) const {
    return test::read_text(folder_.path() / "share" / file);
  }
  // The words bash offers for what was typed, the last of which is not finished.
  std::string offered(const std::string& words) const {
    const std::string script = ". share/bash-completion/completions/touche; COMP_WORDS=(" + words +
                               "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _touche; "
                               "echo \"${COMPREPLY[*]}\"";
    const std::string in =
        "cd '" + folder_.path().string() + "' && bash -c '" + script + "' >offered";
    EXPECT_EQ(std::system(in.c_str()), 0);
    std::string line = test::read_text(folder_.path() / "offered");
    if (line.ends_with('\n')) line.pop_back();
    return line;
  }

  const StudyFolder folder_{"manual"};
};

TEST_F(CliManual, BashCompletesCommandsOptionsAndValues) {
  EXPECT_EQ(offered("touche stu"), "study");
  EXPECT_EQ(offered("touche study --form"), "--format");
  EXPECT_EQ(offered("touche study --format h"), "html");
  EXPECT_EQ(offered("touche build --method med"), "median");
  EXPECT_EQ(offered("touche generate x"), "");  // files
  EXPECT_EQ(offered("touche gener"), "");       // not for users
}

TEST_F(CliManual, ZshAndManKnowEveryOption) {
  const std::string zsh = text("zsh/site-functions/_touche");
  EXPECT_TRUE(zsh.starts_with("#compdef touche\n"));
  for (const char* command : {"study", "info", "build", "collide", "distance", "toi", "path"}) {
    const std::string page = text(std::string("man/man1/touche-") + command + ".1");
    EXPECT_TRUE(has(zsh, std::string("    ") + command + ") _arguments")) << command;
    EXPECT_TRUE(has(text("man/man1/touche.1"), std::string("\\fB") + command + "\\fR")) << command;
    // Every word of --help that is an option is on the page and in the completion.
    const std::string help = touche_cli(folder_, std::string(command) + " --help").out;
    int options = 0;
    for (std::size_t at = help.find("\n  -"); at != help.npos; at = help.find("\n  -", at + 1)) {
      std::string name = help.substr(at + 3, help.find_first_of(" \n", at + 3) - at - 3);
      name = name.substr(name.find("--"));
      std::string dashed;
      for (const char c : name) dashed += c == '-' ? "\\-" : std::string(1, c);
      EXPECT_TRUE(has(page, dashed)) << command << " " << name;
      EXPECT_TRUE(has(zsh, "'" + name + "[")) << command << " " << name;
      ++options;
    }
    EXPECT_GE(options, 2) << command;
  }
}

}  // namespace
}  // namespace touche::cli_manual_test
