// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/ending.h"
#include "io/drawing.h"
#include "io/readers.h"
#include "touche/outline_file.h"

namespace touche {
bool is_outline(const std::filesystem::path& file) {
  const std::string ending = base::ending_of(file);
  return ending == ".svg" || ending == ".dxf";
}

plane::Outline load_outline(const std::filesystem::path& file, const OutlineOptions& options,
                            OutlineReport* report) {
  const auto check = [&](double value, bool may_be_zero, const char* name) {
    if (!std::isfinite(value) || value < 0 || (value == 0 && !may_be_zero))
      throw InvalidInput(std::string("the ") + name + " of " + file.string() +
                         " must be finite and " + (may_be_zero ? "not negative" : "positive"));
  };
  check(options.scale, false, "scale");
  check(options.chord_error, true, "chord error");
  check(options.join_gap, true, "join gap");
  check(options.drop_loops_below, true, "size of loops to drop");
  if (!is_outline(file))
    throw LoadError(file.string(), "",
                    "'" + base::ending_of(file) + "' files hold no outlines; .svg and .dxf do");
  return io::read_outline(io::read_file(file), base::ending_of(file), file.string(), options,
                          report);
}

}  // namespace touche
