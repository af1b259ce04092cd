// SPDX-License-Identifier: Apache-2.0
#include "result_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "write_file.h"

namespace touche::cli {

int exit_code(StudyVerdict verdict) {
  switch (verdict) {
    case StudyVerdict::free:
      return kFree;
    case StudyVerdict::contact:
    case StudyVerdict::inside:
      return kContact;
    case StudyVerdict::open:
      return kOpen;
    case StudyVerdict::undecided:
    case StudyVerdict::interrupted:
      return kError;
  }
  return kError;
}

void ResultFiles::add_to(Command& command, const std::vector<std::string>& more) {
  formats_.insert(formats_.end(), more.begin(), more.end());
  command.add("--out", folder_, "Write results into this folder; default: print only")
      .type_name("FOLDER");
  format_option_ = command.add("--format", formats_,
                               fmt::format("What to write: {}; several by commas (default: all)",
                                           fmt::join(formats_, ", ")));
  format_option_.list().one_of(formats_);
  command.flag("--no-viewer", no_viewer_, kNoViewerHelp);
}

std::vector<std::filesystem::path> files_of(const Study& study) {
  std::vector<std::filesystem::path> files = study.inputs;
  files.push_back(study.file);
  for (const StudyPart& part : study.parts) files.push_back(part.file);
  return files;
}

void ResultFiles::prepare(const char* table, const std::vector<std::filesystem::path>& inputs,
                          const std::vector<FormatFile>& others) const {
  if (folder_.empty() && format_option_.given())
    throw InvalidInput("--format: nothing is written without --out");
  if (folder_.empty()) return;
  const std::filesystem::path folder = folder_;
  std::vector<std::filesystem::path> outputs;
  if (wants("json")) outputs.push_back(folder / "result.json");
  if (wants("csv")) outputs.push_back(folder / table);
  if (wants("html")) outputs.push_back(folder / "report.html");
  for (const FormatFile& other : others)
    if (wants(other.format)) outputs.push_back(folder / other.name);
  keep_inputs(inputs, outputs);
  make_folder(folder);
}

bool ResultFiles::wants(const char* format) const {
  return !folder_.empty() && std::find(formats_.begin(), formats_.end(), format) != formats_.end();
}

void ResultFiles::write(const Text& json, const char* table, const Text& csv,
                        const Text& html) const {
  const std::filesystem::path folder = folder_;
  if (wants("json")) write_file(folder / "result.json", json());
  if (wants("csv")) write_file(folder / table, csv());
  if (wants("html")) write_file(folder / "report.html", html());
}

void ResultFiles::write_another(
    const char* format, const char* name,
    const std::function<void(const std::filesystem::path&)>& write) const {
  if (wants(format)) write(std::filesystem::path(folder_) / name);
}

void ResultFiles::tell() const {
  if (folder_.empty()) return;
  const std::filesystem::path folder = folder_;
  fmt::print("written to {}\n", (wants("html") ? folder / "report.html" : folder).string());
}

}  // namespace touche::cli
