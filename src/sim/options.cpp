#include "sim/options.hpp"

#include <array>
#include <charconv>
#include <vector>

#include "base/text.hpp"
#include "wattune/error.hpp"

namespace wattune::sim {
namespace {

/// A number with its range.
double number_in(std::string_view text, double low, double high, const std::string& option, const std::string& where) {
  double number = 0.0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code == std::errc() && end == text.data() + text.size() && number >= low && number <= high) return number;
  throw Error(ExitCode::usage,
              "'" + option + "' takes a number from " + std::to_string(low) + " to " + std::to_string(high) +
                  ", not '" + std::string(text) + "'",
              where);
}

constexpr double longest = 1e9;  // of anything that has no limit of its own

struct Option {
  const char* name;
  void (*set)(VirtualGpuOptions& options, std::string_view text, const std::string& where);
};

constexpr std::array table = {
    Option{"noise",
           [](VirtualGpuOptions& o, std::string_view text, const std::string& where) {
             const double factor = number_in(text, 0.0, 100.0, "noise", where);
             o.time_noise = 0.01 * factor;
             o.power_noise = 0.02 * factor;
           }},
    Option{"time_noise",
           [](VirtualGpuOptions& o, std::string_view text, const std::string& where) {
             o.time_noise = number_in(text, 0.0, 0.2, "time_noise", where);
           }},
    Option{"power_noise",
           [](VirtualGpuOptions& o, std::string_view text, const std::string& where) {
             o.power_noise = number_in(text, 0.0, 0.2, "power_noise", where);
           }},
    Option{"seed",
           [](VirtualGpuOptions& o, std::string_view text, const std::string& where) {
             o.seed = static_cast<std::uint64_t>(number_in(text, 0.0, 9e15, "seed", where));
           }},
    Option{"permission",
           [](VirtualGpuOptions& o, std::string_view text, const std::string& where) {
             if (text == "all") {
               o.permission = Permission::all;
             } else if (text == "sensors") {
               o.permission = Permission::sensors;
             } else if (text == "none") {
               o.permission = Permission::none;
             } else {
               throw Error(ExitCode::usage, "unknown permission '" + std::string(text) + "'", where,
                           "all, sensors (read only) or none");
             }
           }},
    Option{"sensors_lost",
           [](VirtualGpuOptions& o, std::string_view text, const std::string& where) {
             o.faults.sensors_lost = Seconds(number_in(text, 0.0, longest, "sensors_lost", where));
           }},
    Option{"refused_clock",
           [](VirtualGpuOptions& o, std::string_view text, const std::string& where) {
             o.faults.refused_clock = megahertz(number_in(text, 1.0, 1e5, "refused_clock", where));
           }},
    Option{"counter_wraps_at",
           [](VirtualGpuOptions& o, std::string_view text, const std::string& where) {
             o.faults.counter_wraps_at = Joules(number_in(text, 1.0, longest, "counter_wraps_at", where));
           }},
    Option{"driver_reset",
           [](VirtualGpuOptions& o, std::string_view text, const std::string& where) {
             o.faults.driver_reset = Seconds(number_in(text, 0.0, longest, "driver_reset", where));
           }},
    Option{"unplugged",
           [](VirtualGpuOptions& o, std::string_view text, const std::string& where) {
             o.faults.unplugged = Seconds(number_in(text, 0.0, longest, "unplugged", where));
           }},
};

void set_option(VirtualGpuOptions& options, const std::string& text, const std::string& where) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  std::vector<std::string> names;
  for (const Option& option : table) {
    names.emplace_back(option.name);
    if (name != option.name) continue;
    if (equals == std::string::npos) throw Error(ExitCode::usage, "'" + name + "' needs a value", where);
    return option.set(options, std::string_view(text).substr(equals + 1), where);
  }
  const std::string near = base::did_you_mean(name, names);
  throw Error(ExitCode::usage, "a virtual GPU has no option '" + name + "'", where,
              near.empty() ? "there are " + base::join(names, ", ") : near);
}

}  // namespace

NamedVirtualGpu parse_id(std::string_view id) {
  const std::string where(id);
  if (id.starts_with(id_prefix)) id.remove_prefix(id_prefix.size());
  const std::size_t question = id.find('?');
  const std::string name = base::lower(id.substr(0, question));
  NamedVirtualGpu found;
  found.preset = find_virtual_gpu(name);
  if (found.preset == nullptr) {
    std::string there;
    for (const VirtualGpuPreset& preset : virtual_gpu_presets())
      there += (there.empty() ? "" : ", ") + std::string(id_prefix) + preset.id;
    throw Error(ExitCode::no_device, "no virtual GPU '" + name + "'", where, "there are " + there);
  }
  if (question == std::string_view::npos) return found;
  for (const std::string& option : base::split(id.substr(question + 1), '&')) set_option(found.options, option, where);
  return found;
}

}  // namespace wattune::sim
