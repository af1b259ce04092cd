// SPDX-License-Identifier: Apache-2.0
#include "io/zip_archive.h"

#include <zip.h>

#include <memory>

#include "touche/types.h"

namespace touche::io {

ZipArchive::ZipArchive(std::string_view bytes, std::string file) : file_(std::move(file)) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  archive_ = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
  if (archive_ == nullptr) {
    const std::string reason = zip_error_strerror(&error);
    zip_source_free(source);
    zip_error_fini(&error);
    throw LoadError(file_, "", "not a ZIP archive: " + reason);
  }
  zip_error_fini(&error);
}

ZipArchive::~ZipArchive() { zip_discard(archive_); }

std::string ZipArchive::read(const std::string& name, Allowance& allowance) const {
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> entry(
      zip_fopen(archive_, name.c_str(), ZIP_FL_NOCASE), zip_fclose);
  if (entry == nullptr) throw LoadError(file_, name, zip_strerror(archive_));
  zip_stat_t stat;
  if (zip_stat(archive_, name.c_str(), ZIP_FL_NOCASE, &stat) != 0 || !(stat.valid & ZIP_STAT_SIZE))
    throw LoadError(file_, name, "the archive does not say how large it is");
  allowance.take(stat.size, name);
  std::string bytes(stat.size, '\0');
  // One more read than there are bytes: it finds the end, and whether the checksum is right.
  for (std::size_t size = 0;;) {
    char more = 0;
    const bool full = size == bytes.size();
    const zip_int64_t count =
        zip_fread(entry.get(), full ? &more : bytes.data() + size, full ? 1 : bytes.size() - size);
    if (count < 0) throw LoadError(file_, name, zip_file_strerror(entry.get()));
    if (full != (count == 0)) throw LoadError(file_, name, "not as large as the archive says");
    if (full) return bytes;
    size += static_cast<std::size_t>(count);
  }
}

}  // namespace touche::io
