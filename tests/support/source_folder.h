// SPDX-License-Identifier: Apache-2.0
// Where the project's files are, for tests that read them.
#pragma once

namespace touche::test {

extern const char* const kSourceFolder;

}  // namespace touche::test
