// Tells the format of a recording by its content and hands it to the reader of that format.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "io/importers.hpp"
#include "io/json_elements.hpp"
#include "io/json_scanner.hpp"
#include "wattune/error.hpp"
#include "wattune/formats.hpp"

namespace wattune {

namespace {

using namespace io;

constexpr std::size_t probe_size = std::size_t{256} << 10U;

enum class Format { kernel_tuner, t4, ktt, results_store, wisdom, csv };

[[noreturn]] void refuse(const std::string& path, std::string message, std::string hint = {}) {
  throw Error(ExitCode::bad_input, std::move(message), path, std::move(hint));
}

/// Decides by the first telling name at the top of the document.
Format json_format_of(const std::string& path, std::string_view start) {
  const TopLevel top = top_level_of(start);
  const auto has = [&](std::string_view name) {
    return std::find(top.names.begin(), top.names.end(), name) != top.names.end();
  };
  if (has("cache") || has("tune_params")) return Format::kernel_tuner;
  if (has("results")) return Format::t4;
  if (has("Results") || has("Metadata")) return Format::ktt;
  if (has("ConfigurationSpace") || has("KernelSpecification")) {
    refuse(path, "is a T1 tuning input, not a recording", "give it to `wattune space` or `wattune tune` as the spec");
  }
  if (has("version") && has("tunable_parameters") && top.ended) return Format::wisdom;
  if (has("data") || has("tunable_parameters")) return Format::results_store;
  if (has("metadata")) {
    refuse(path, "is T4 metadata: hardware and environment, no results",
           "give it with the results that it belongs to: wattune import RESULTS --metadata " + path);
  }
  refuse(path, "is JSON of an unknown format",
         "known: Kernel Tuner cache, T4 results, KTT output, kernel_launcher wisdom, results store");
}

Format format_of(const std::string& path, std::string_view start) {
  if (start.substr(0, 3) == "\xEF\xBB\xBF") start.remove_prefix(3);
  start = base::trim(start);
  if (start.empty()) refuse(path, "the file is empty");
  if (start.find('\0') != std::string_view::npos) refuse(path, "is not a text file");
  return start.front() == '{' ? json_format_of(path, start) : Format::csv;
}

RecordedSpace import_whole(const std::string& path, Text& text) {
  const JsonInput input{path, &text, nullptr};
  switch (format_of(path, text.view().substr(0, probe_size))) {
    case Format::kernel_tuner:
      return import_kernel_tuner(input);
    case Format::t4:
      return import_t4(input);
    case Format::ktt:
      return import_ktt(input);
    case Format::results_store:
      return import_results_store(path, text.view());
    case Format::wisdom:
      return import_wisdom(path, text.view());
    case Format::csv:
      break;
  }
  return import_csv(path, text.view());
}

RecordedSpace import_large(const std::string& path) {
  std::string start(probe_size, '\0');
  auto source = open_bytes(path);
  std::size_t filled = 0;
  while (filled < start.size()) {
    const std::size_t got = source->read(start.data() + filled, start.size() - filled);
    if (got == 0) break;
    filled += got;
  }
  start.resize(filled);
  source = open_bytes(path);
  const JsonInput input{path, nullptr, source.get()};
  switch (format_of(path, start)) {
    case Format::kernel_tuner:
      return import_kernel_tuner(input);
    case Format::t4:
      return import_t4(input);
    case Format::ktt:
      return import_ktt(input);
    default:
      break;
  }
  refuse(path, fmt::format("is larger than {} MB, which only Kernel Tuner caches, T4 and KTT output may be",
                           whole_limit >> 20U));
}

}  // namespace

RecordedSpace import_recording(const std::string& path) {
  if (auto text = read_text(path, whole_limit)) return import_whole(path, *text);
  return import_large(path);
}

}  // namespace wattune
