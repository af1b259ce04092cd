// SPDX-License-Identifier: Apache-2.0
// The frame of a page: its head with the style, and its foot. A page needs nothing but itself.
#pragma once

#include <string>
#include <string_view>

namespace touche::report {

/// Everything before a page's content. `title` is that of the browser's window; `kicker` stands in
/// small letters above `heading`. All three are escaped here.
std::string begin_page(std::string_view title, std::string_view kicker, std::string_view heading);

/// The foot, of HTML, and everything after it.
std::string end_page(std::string_view foot);

}  // namespace touche::report
