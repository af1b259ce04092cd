// SPDX-License-Identifier: Apache-2.0
// The results of a command as files in a folder: for programs, for spreadsheets and for people.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "program.h"
#include "report_viewer.h"
#include "touche/study.h"

namespace touche::cli {

/// Returns what the program ends with, for studies and for ways that were taken.
int exit_code(StudyVerdict verdict);

/// All files that a study was read from.
std::vector<std::filesystem::path> files_of(const Study& study);

class ResultFiles {
 public:
  /// --out and --format. `more`: formats that this command writes besides json, csv and html.
  void add_to(Command& command, const std::vector<std::string>& more = {});

  /// A file that write_another() writes.
  struct FormatFile {
    const char* format;
    const char* name;
  };

  /// Makes the folder, where there is to be one, before any work is done; throws LoadError, and
  /// InvalidInput if the table or another file would take the place of an input.
  void prepare(const char* table, const std::vector<std::filesystem::path>& inputs,
               const std::vector<FormatFile>& others = {}) const;

  using Text = std::function<std::string()>;
  /// The viewer for the page of a view; empty where it is left out.
  template <class View>
  std::string viewer(const View& view) const {
    return no_viewer_ ? std::string() : report_viewer_text(view);
  }

  /// Writes result.json, a table and report.html, as far as they were asked for; throws LoadError.
  void write(const Text& json, const char* table, const Text& csv, const Text& html) const;

  /// Has another file of a format written, as far as that was asked for.
  void write_another(const char* format, const char* name,
                     const std::function<void(const std::filesystem::path&)>& write) const;

  /// Prints where that is.
  void tell() const;

 private:
  bool wants(const char* format) const;

  std::string folder_;  // empty: nothing is written
  std::vector<std::string> formats_{"json", "csv", "html"};
  Option format_option_;
  bool no_viewer_ = false;
};

}  // namespace touche::cli
