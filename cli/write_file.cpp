// SPDX-License-Identifier: Apache-2.0
#include "write_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <system_error>

#include "touche/types.h"

namespace touche::cli {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) throw LoadError(folder.string(), "", "this folder cannot be made");
}

void write_file(const fs::path& file, std::string_view content) {
  std::error_code none;
  fs::path place = file;  // replace the target of a link and keep the link
  for (int links = 0; links < 40 && fs::is_symlink(place, none); ++links)
    place = place.parent_path() / fs::read_symlink(place, none);
  const bool exists = fs::exists(place, none);
  // Write to a device directly instead of replacing it by a file.
  const bool in_place = exists && !fs::is_regular_file(place, none);
  // The temporary name must be new: mode x does not open an existing file or link.
  fs::path part = place;
  std::FILE* out = nullptr;
  if (in_place) out = std::fopen(place.c_str(), "wb");
  for (int k = 0; !in_place && !out; ++k) {
    part = fmt::format("{}.part-{}-{}", place.string(), ::getpid(), k);
    out = std::fopen(part.c_str(), "wbx");
    if (!out && errno != EEXIST) break;
  }
  if (!out) throw LoadError(file.string(), "", "cannot be written");
  const bool all = std::fwrite(content.data(), 1, content.size(), out) == content.size();
  std::error_code error;
  if (std::fclose(out) == 0 && all) {
    if (in_place) return;
    if (exists) fs::permissions(part, fs::status(place, none).permissions(), none);
    fs::rename(part, place, error);
    if (!error) return;
  }
  if (!in_place) fs::remove(part, none);
  throw LoadError(file.string(), "", "cannot be written");
}

void keep_inputs(const std::vector<fs::path>& inputs, const std::vector<fs::path>& outputs) {
  for (const fs::path& output : outputs)
    for (const fs::path& input : inputs) {
      std::error_code none;  // a file that does not exist is equivalent to no other
      if (fs::equivalent(input, output, none))
        throw InvalidInput(
            fmt::format("--out: {} would be overwritten, which is read", input.string()));
    }
}

std::string page_date() {
  std::time_t now = std::time(nullptr);
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH")) {
    const char* end = fixed + std::strlen(fixed);
    long long seconds = 0;
    if (std::from_chars(fixed, end, seconds).ptr == end) now = static_cast<std::time_t>(seconds);
  }
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &utc)};
}

}  // namespace touche::cli
