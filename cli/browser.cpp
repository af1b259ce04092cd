// SPDX-License-Identifier: Apache-2.0
#include "browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <vector>

namespace touche::cli {
namespace {

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// Writes a page that redirects to `url`, in a file that only this user can read. Returns an empty
// path on failure.
std::filesystem::path write_signpost(const std::string& url) {
  std::error_code none;
  const std::filesystem::path folder = is_set("XDG_RUNTIME_DIR")
                                           ? std::filesystem::path(std::getenv("XDG_RUNTIME_DIR"))
                                           : std::filesystem::temp_directory_path(none);
  std::string path = (folder / "touche-view-XXXXXX.html").string();
  const int file = ::mkostemps(path.data(), 5, O_CLOEXEC);  // mode 0600
  if (file < 0) return {};
  const std::string page =
      "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">"
      "<meta http-equiv=\"refresh\" content=\"0; url=" +
      url + "\"><title>touche view</title><a href=\"" + url + "\">touche view</a>\n";
  const bool written = ::write(file, page.data(), page.size()) == static_cast<ssize_t>(page.size());
  ::close(file);
  if (written) return path;
  ::unlink(path.c_str());
  return {};
}

// Starts a program without output, in a session of its own, so that Ctrl-C does not end the
// browser. Returns an error number.
int spawn(const char* program, const std::string& argument) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&how);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSID);
  std::string name = program, given = argument;
  char* const arguments[] = {name.data(), given.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, program, &files, &how, arguments, environ);
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

}  // namespace

Browser::Browser(const std::string& url) {
  // Without a display, xdg-open would start a text browser in the terminal.
  if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) {
    trouble_ = "there is no display";
    return;
  }
  file_ = write_signpost(url);
  if (file_.empty()) {
    trouble_ = "no temporary file can be written";
  } else if (const int error = spawn("xdg-open", file_.string()); error != 0) {
    trouble_ = "xdg-open: " + std::generic_category().message(error);
  }
}

Browser::~Browser() {
  std::error_code none;
  if (!file_.empty()) std::filesystem::remove(file_, none);
}

}  // namespace touche::cli
