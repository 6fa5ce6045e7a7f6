// One reader a format. Each knows the facts of docs/formats.md for its format and nothing of the others.
#pragma once

#include <string>
#include <string_view>

#include "io/byte_source.hpp"
#include "wattune/recorded_space.hpp"

namespace wattune::io {

/// What a JSON reader reads from: the whole text, or a source that is read in pieces. `path` is for messages.
struct JsonInput {
  std::string path;
  Text* text = nullptr;
  ByteSource* source = nullptr;
};

RecordedSpace import_kernel_tuner(const JsonInput& input);
RecordedSpace import_t4(const JsonInput& input);
RecordedSpace import_ktt(const JsonInput& input);

/// These formats are small by nature and read as a whole.
RecordedSpace import_results_store(const std::string& path, std::string_view text);
RecordedSpace import_wisdom(const std::string& path, std::string_view text);
RecordedSpace import_csv(const std::string& path, std::string_view text);

}  // namespace wattune::io
