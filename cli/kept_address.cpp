// SPDX-License-Identifier: Apache-2.0
#include "kept_address.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "touche/types.h"

namespace touche::cli {
namespace {

namespace fs = std::filesystem;

fs::path state_folder() {
  const auto set = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return value != nullptr && fs::path(value).is_absolute() ? fs::path(value) : fs::path();
  };
  if (const fs::path state = set("XDG_STATE_HOME"); !state.empty()) return state / "touche";
  if (const fs::path home = set("HOME"); !home.empty()) return home / ".local" / "state" / "touche";
  throw Error("--same-address: neither XDG_STATE_HOME nor HOME says where to keep the address");
}

// FNV-1a. On a collision two sets of files share an address, which does no harm.
std::uint64_t number_of(const std::vector<std::string>& inputs) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::string& input : inputs) {
    std::error_code none;
    for (const char c : fs::weakly_canonical(input, none).string() + '\n')
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return hash;
}

[[noreturn]] void fail(const std::string& file, const std::string& why) {
  throw Error("--same-address: " + file + ": " + why);
}

void check_is_safe(int file, const std::string& name) {
  struct stat status {};
  if (::fstat(file, &status) != 0) fail(name, std::generic_category().message(errno));
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || (status.st_mode & 077) != 0)
    fail(name, "others than you may read or write it; delete it");
}

}  // namespace

KeptAddress::KeptAddress(const std::vector<std::string>& inputs) {
  const fs::path folder = state_folder();
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(folder.string(), error.message());
  name_ = (folder / fmt::format("view-{:016x}", number_of(inputs))).string();
  constexpr int kHow = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const int file = ::open(name_.c_str(), kHow, 0600);
  if (file < 0) fail(name_, errno == ELOOP ? "is a link" : std::generic_category().message(errno));
  file_ = file;
  try {
    check_is_safe(file, name_);
  } catch (...) {
    ::close(file);
    throw;
  }
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    ::close(file);
    file_ = -1;
    return;
  }
  // The file contains "PORT TOKEN
  // "; any other content is ignored.
  std::array<char, 200> text{};
  const ssize_t length = ::pread(file, text.data(), text.size() - 1, 0);
  const char* const end = text.data() + (length > 0 ? length : 0);
  const auto [rest, failed] = std::from_chars(text.data(), end, port_);
  if (failed == std::errc() && end - rest > 2 && *rest == ' ' && end[-1] == '\n')
    token_.assign(rest + 1, end - 1);
  else
    port_ = 0;
}

KeptAddress::~KeptAddress() {
  if (file_ >= 0) ::close(file_);
}

void KeptAddress::keep(const std::string& url) const {
  if (file_ < 0) return;
  // http://127.0.0.1:PORT/TOKEN/
  const std::size_t slash = url.rfind('/', url.size() - 2), colon = url.rfind(':', slash);
  const std::string text = url.substr(colon + 1, slash - colon - 1) + " " +
                           url.substr(slash + 1, url.size() - slash - 2) + "\n";
  if (::ftruncate(file_, 0) != 0 ||
      ::pwrite(file_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
    fail(name_, std::generic_category().message(errno));
}

}  // namespace touche::cli
