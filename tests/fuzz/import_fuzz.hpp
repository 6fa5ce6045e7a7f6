// Shared by the fuzz targets of importers: bytes as a whole text and as a source that gives a few bytes at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "io/byte_source.hpp"
#include "io/importers.hpp"
#include "wattune/error.hpp"

namespace wattune::fuzz {

/// Small pieces, so that every boundary falls everywhere.
class MemorySource final : public io::ByteSource {
 public:
  explicit MemorySource(std::string_view text) : rest_(text) {}
  std::size_t read(char* buffer, std::size_t count) override {
    const std::size_t got = std::min({count, rest_.size(), std::size_t{7}});
    std::memcpy(buffer, rest_.data(), got);
    rest_.remove_prefix(got);
    return got;
  }

 private:
  std::string_view rest_;
};

/// Reads every column, so that a wrong position shows.
inline void use(const RecordedSpace& space) {
  const Run run = to_run(space);
  if (run.outcomes.size() != space.size()) __builtin_trap();
  for (std::size_t i = 0; i < space.size(); ++i) {
    const bool has_time = space.time[i] > 0.0;
    if (has_time && space.status[i] != Status::correct) __builtin_trap();
  }
}

/// Runs `import`; an Error is a refusal and fine.
template <class Import>
void attempt(Import&& import) {
  try {
    use(import());
  } catch (const Error&) {
  }
}

/// A JSON importer, whole and in pieces.
inline int json_target(const std::uint8_t* data, std::size_t size, RecordedSpace (*import)(const io::JsonInput&)) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  attempt([&] {
    io::Text text(size);
    text.append(bytes);
    return import({"fuzz", &text, nullptr});
  });
  attempt([&] {
    MemorySource source(bytes);
    return import({"fuzz", nullptr, &source});
  });
  return 0;
}

}  // namespace wattune::fuzz
