// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>

namespace touche::cli {
namespace {

// A signal handler may access nothing but lock-free atomics.
std::atomic<const Cancel*> to_request{nullptr};
static_assert(std::atomic<const Cancel*>::is_always_lock_free);

extern "C" void on_signal(int signal) {
  if (const Cancel* cancel = to_request) cancel->request();
  std::signal(signal, SIG_DFL);
}

constexpr std::size_t kWidth = 40;

}  // namespace

CancelOnSignal::CancelOnSignal(const Cancel& cancel) : cancel_(cancel) {
  to_request = &cancel_;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

CancelOnSignal::~CancelOnSignal() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  to_request = nullptr;
}

ProgressBar::ProgressBar(const ProgressCounts& progress, const Cancel& cancel)
    : progress_(progress), cancel_(cancel) {
  if (isatty(STDERR_FILENO) != 0) thread_ = std::thread([this] { draw_until_done(); });
}

ProgressBar::~ProgressBar() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void ProgressBar::draw_until_done() {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  if (wake_.wait_for(lock, 1s, [&] { return done_; })) return;
  do {
    const std::size_t total = std::max<std::size_t>(1, progress_.total);
    const std::size_t done = std::min<std::size_t>(total, progress_.done);
    const std::size_t bar = kWidth * done / total;
    std::fprintf(stderr, "\r[%s%s] %3zu %%%s", std::string(bar, '#').c_str(),
                 std::string(kWidth - bar, ' ').c_str(), 100 * done / total,
                 cancel_.requested() ? ", stopping"
                 : done == total     ? ", summing up"
                                     : "");
    std::fflush(stderr);
  } while (!wake_.wait_for(lock, 100ms, [&] { return done_; }));
  std::fputs("\r\033[K", stderr);  // erases the line
}

}  // namespace touche::cli
