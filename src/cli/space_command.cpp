// `wattune space`: how many configurations are valid, how fast that was found, and what they are.
#include <iostream>

#include "base/format.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "wattune/engine.hpp"
#include "wattune/formats.hpp"
#include "wattune/tune.hpp"

namespace wattune::cli {
namespace {

/// The device whose limits apply: a real one, or one made of --max-threads alone, or none.
std::optional<DeviceDescription> limits(const SpaceCommand& command) {
  if (!command.device.empty()) return open_engine(command.device)->describe();
  if (command.max_threads == 0) return std::nullopt;
  DeviceDescription device;
  device.name = "(--max-threads)";
  device.max_block_threads = static_cast<std::uint32_t>(command.max_threads);
  return device;
}

}  // namespace

ExitCode run_command(const SpaceCommand& command, bool json, Console& console) {
  const std::optional<DeviceDescription> device = limits(command);
  const Spec spec = for_device_kind(read_spec(command.spec), device && !device->kind.empty() ? device->kind : "gpu");
  const Space space = build_space(spec, device ? &*device : nullptr);
  const std::uint64_t listed = std::min<std::uint64_t>(command.list, space.size());
  if (json) {
    Json document{{"cartesian", static_cast<std::uint64_t>(space.cartesian_size())},
                  {"valid", space.size()},
                  {"seconds", space.build_seconds()},
                  {"bytes", space.bytes()},
                  {"complete", space.complete()}};
    if (listed > 0) {
      Json list = Json::array();
      for (ConfigurationId id = 0; id < listed; ++id) {
        Json configuration = Json::object();
        const std::vector<Value> values = space.values(id);
        for (std::size_t p = 0; p < values.size(); ++p) configuration[space.parameters()[p].name] = to_json(values[p]);
        list.push_back(std::move(configuration));
      }
      document["configurations"] = std::move(list);
    }
    console.out() << document.dump(2) << '\n';
    return ExitCode::ok;
  }
  const double bytes_each = static_cast<double>(space.bytes()) / static_cast<double>(space.size());
  console.out() << base::format_count(space.size()) << " valid configurations of "
                << base::format_count(static_cast<std::uint64_t>(space.cartesian_size())) << ", found in "
                << base::format_seconds(Seconds(space.build_seconds())) << ", " << base::format_fixed(bytes_each, 1)
                << " bytes a configuration\n";
  for (const Parameter& parameter : space.parameters()) {
    console.out() << "  " << parameter.name << ": " << parameter.values.size()
                  << (parameter.values.size() == 1 ? " value" : " values") << ", default "
                  << to_string(parameter.values[parameter.default_index]) << '\n';
  }
  for (ConfigurationId id = 0; id < listed; ++id) console.out() << describe(space, id) << '\n';
  return ExitCode::ok;
}

}  // namespace wattune::cli
