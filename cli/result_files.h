// SPDX-License-Identifier: Apache-2.0
// The results of a command as files in a folder: JSON, CSV and HTML.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "program.h"
#include "report_viewer.h"
#include "touche/study.h"

namespace touche::cli {

/// The program's exit code for the verdict of a study or of a handled path.
int exit_code(StudyVerdict verdict);

/// All files that a study was read from.
std::vector<std::filesystem::path> files_of(const Study& study);

class ResultFiles {
 public:
  /// Adds --out and --format. `more`: formats of this command besides json, csv and html.
  void add_to(Command& command, const std::vector<std::string>& more = {});

  /// A file that write_another() writes.
  struct FormatFile {
    const char* format;
    const char* name;
  };

  /// Creates the folder, if one is requested, before any work is done. Throws LoadError, or
  /// InvalidInput if the table or another file would overwrite an input.
  void prepare(const char* table, const std::vector<std::filesystem::path>& inputs,
               const std::vector<FormatFile>& others = {}) const;

  using Text = std::function<std::string()>;
  /// The viewer for the page of a result; empty if it is to be left out.
  template <class Result>
  std::string viewer(const Result& result) const {
    return no_viewer_ ? std::string() : report_viewer_text(result);
  }

  /// Writes the requested ones of result.json, a table and report.html; throws LoadError.
  void write(const Text& json, const char* table, const Text& csv, const Text& html) const;

  /// Calls `write` for another file if its format is requested.
  void write_another(const char* format, const char* name,
                     const std::function<void(const std::filesystem::path&)>& write) const;

  /// Whether results are written.
  bool any() const { return !folder_.empty(); }
  /// Prints the folder of the results.
  void tell() const;

 private:
  bool wants(const char* format) const;

  std::string folder_;  // empty: nothing is written
  std::vector<std::string> formats_{"json", "csv", "html"};
  Option format_option_;
  bool no_viewer_ = false;
};

}  // namespace touche::cli
