// SPDX-License-Identifier: Apache-2.0
#include "write_file.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <fstream>
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
  // A device must not be replaced by a file.
  std::error_code none;
  const bool in_place = fs::exists(file, none) && !fs::is_regular_file(file, none);
  const fs::path part = in_place ? file : fs::path(file.string() + ".part");
  std::ofstream out(part, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  std::error_code error;
  if (out && !in_place) fs::rename(part, file, error);
  if (out && !error) return;
  if (!in_place) fs::remove(part, error);
  throw LoadError(file.string(), "", "cannot be written");
}

void keep_inputs(const std::vector<fs::path>& inputs, const std::vector<fs::path>& outputs) {
  for (const fs::path& output : outputs)
    for (const fs::path& input : inputs) {
      std::error_code none;  // a file that is not there is the same as no other
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
