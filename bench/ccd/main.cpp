// SPDX-License-Identifier: Apache-2.0
// The benchmark of continuous collision detection: makes the cases and queries the libraries.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "driver.h"
#include "program.h"

namespace {

int run(int argc, char** argv) {
  using namespace touche::bench;
  CLI::App app{
      "Continuous collision of rigid triangle soups with known truth: misses and times of each "
      "library.\n"
      "The format of the cases is in docs/ccd-benchmark.md."};
  app.require_subcommand(1);
  std::string file = "ccd-cases.txt", csv = "bench/results/ccd.csv";
  int count = 100;
  CLI::App* make = app.add_subcommand("generate", "Write the cases");
  make->add_option("file", file, "Where to")->capture_default_str();
  make->add_option("--count", count, "Of each family")->capture_default_str();
  CLI::App* ask = app.add_subcommand("run", "Run every library on all cases of a file");
  ask->add_option("file", file, "As written by generate")->capture_default_str();
  ask->add_option("--out", csv, "Figures by family")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (*make) {
    const auto cases = generate_ccd(count);
    write_ccd(cases, file);
    fmt::print("{} cases written to {}\n", cases.size(), file);
    return 0;
  }
  return run_ccd(read_ccd(file), csv) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return touche::bench::run_program("touche_ccd_bench", run, argc, argv);
}
