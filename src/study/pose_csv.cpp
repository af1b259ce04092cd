// SPDX-License-Identifier: Apache-2.0
// Reads recorded poses: a header that names the columns, then one pose per line. Accepts what
// spreadsheets write: a byte order mark, and semicolons or tabs as separators where the decimal
// sign is a comma.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string>

#include "base/file_kind.h"
#include "io/text_scanner.h"
#include "study/motion_input.h"

namespace touche::study {
namespace {

// The columns in their internal order; the time is last and optional.
constexpr std::array<std::string_view, 8> kColumns = {"x", "y", "z", "qw", "qx", "qy", "qz", "t"};
constexpr std::size_t kTime = 7, kNowhere = static_cast<std::size_t>(-1);

std::string_view trimmed(std::string_view s) {
  const std::size_t first = s.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string_view> cells(std::string_view line, char separator) {
  std::vector<std::string_view> result;
  for (;;) {
    const std::size_t end = line.find(separator);
    result.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return result;
    line.remove_prefix(end + 1);
  }
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file.string()), in_(file) {
    if (const std::string reason = base::why_no_file(file); !reason.empty()) fail(reason);
    if (!in_) fail("the file cannot be read");
  }

  RecordedPoses read() {
    if (!next_line()) fail("the file is empty, expected a header line");
    read_header();
    RecordedPoses result;
    while (next_line()) {
      if (trimmed(text_).empty()) continue;
      if (result.poses.size() > kMostSteps) fail("too many poses");
      read_line(result);
    }
    if (in_.bad()) fail("the file cannot be read to its end");
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw LoadError(file_, line_ == 0 ? "" : std::to_string(line_), reason);
  }

  bool next_line() {
    ++line_;
    return static_cast<bool>(std::getline(in_, text_));
  }

  void read_header() {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kByteOrderMark)) text_.erase(0, kByteOrderMark.size());
    // Column names contain neither commas nor semicolons, so the header shows which separator is
    // used.
    for (const char c : {';', '\t'})
      if (text_.find(c) != text_.npos) separator_ = c;
    place_.fill(kNowhere);
    const auto names = cells(text_, separator_);
    width_ = names.size();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto found = std::find(kColumns.begin(), kColumns.end(), names[i]);
      if (found == kColumns.end())
        fail("unknown column " + io::in_quotes(names[i]) + ", expected x,y,z,qw,qx,qy,qz or t");
      std::size_t& place = place_[static_cast<std::size_t>(found - kColumns.begin())];
      if (place != kNowhere) fail("the column \"" + std::string(names[i]) + "\" is there twice");
      place = i;
    }
    for (std::size_t c = 0; c < kTime; ++c)
      if (place_[c] == kNowhere) fail("no column \"" + std::string(kColumns[c]) + "\"");
  }

  double number(std::string_view cell, std::size_t column) {
    std::string text(cell);
    const std::size_t sign = text.find_first_of(".,");
    if (sign != text.npos && separator_ != ',') {
      if (decimal_sign_ != '\0' && text[sign] != decimal_sign_)
        fail(std::string(kColumns[column]) + ": " + io::in_quotes(cell) +
             ": decimal points and decimal commas in one file");
      decimal_sign_ = text[sign];
      text[sign] = '.';  // a second sign remains and makes the number invalid
    }
    double x = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
    if (error != std::errc() || end != text.data() + text.size() || text.empty() ||
        !(std::abs(x) <= kLargestNumber))
      fail(std::string(kColumns[column]) + ": " + io::in_quotes(cell) +
           " is not a number in range");
    return x;
  }

  void read_line(RecordedPoses& result) {
    const auto line = cells(text_, separator_);
    if (line.size() != width_)
      fail(std::to_string(line.size()) + " columns, expected " + std::to_string(width_));
    std::array<double, 8> v{};
    for (std::size_t c = 0; c < v.size(); ++c)
      if (place_[c] != kNowhere) v[c] = number(line[place_[c]], c);
    try {
      result.poses.push_back(Pose::from_quaternion(v[3], v[4], v[5], v[6], {v[0], v[1], v[2]}));
    } catch (const InvalidInput& e) {
      fail(e.what());
    }
    result.lines.push_back(line_);
    if (place_[kTime] != kNowhere) result.times.push_back(v[kTime]);
  }

  std::string file_;
  std::ifstream in_;
  std::string text_;
  std::size_t line_ = 0, width_ = 0;
  char separator_ = ',';
  char decimal_sign_ = '\0';  // the first one seen; always a point if commas separate the columns
  std::array<std::size_t, 8> place_{};
};

}  // namespace

RecordedPoses read_pose_csv(const std::filesystem::path& file) { return Reader(file).read(); }

}  // namespace touche::study
