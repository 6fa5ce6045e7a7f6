// Reads T4 metadata, schema 1.0.0: what machine T4 results came from. The device query is the output of nvidia-smi or
// rocm-smi as JSON, whose layout changes with its version, so that names are looked for wherever they stand.
#include <array>
#include <nlohmann/json.hpp>
#include <span>

#include "base/text.hpp"
#include "wattune/error.hpp"
#include "wattune/formats.hpp"

namespace wattune {
namespace {

using Json = nlohmann::json;

/// The first text under one of `names`, in any case, at any depth.
std::string text_under(const Json& json, std::span<const std::string_view> names) {
  if (!json.is_structured()) return {};
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      for (const std::string_view name : names) {
        if (value.is_string() && base::lower(key) == name) return value.get<std::string>();
      }
    }
  }
  for (const Json& part : json) {
    if (std::string found = text_under(part, names); !found.empty()) return found;
  }
  return {};
}

}  // namespace

void add_t4_metadata(RecordedSpace& recording, const std::string& path) {
  const Json document = Json::parse(base::read_file(path, "T4 metadata"), nullptr, false);
  const auto metadata = document.is_object() ? document.find("metadata") : document.end();
  if (document.is_discarded()) throw Error(ExitCode::bad_input, "not valid JSON", path);
  if (metadata == document.end() || !metadata->is_object() || document.contains("results"))
    throw Error(ExitCode::bad_input, "is no T4 metadata: an object 'metadata' and no 'results' were expected", path);
  constexpr std::array<std::string_view, 4> device_names = {"product_name", "card series", "card model", "device name"};
  constexpr std::array<std::string_view, 1> driver_names = {"driver_version"};
  const Json environment = metadata->value("environment", Json::object());
  if (recording.device_name.empty()) recording.device_name = text_under(environment, device_names);
  const std::string driver = text_under(environment, driver_names);
  const auto system = metadata->find("operating_system");
  std::string note;
  if (system != metadata->end() && system->is_string()) note = "recorded under " + system->get<std::string>();
  if (!driver.empty()) note += (note.empty() ? "recorded with driver " : ", driver ") + driver;
  if (!note.empty()) recording.note += (recording.note.empty() ? "" : "; ") + note;
}

}  // namespace wattune
