// The table of engines: which devices there are, and which one a user's word means.
// A new programming interface is one more row here.
#include <algorithm>

#include "base/text.hpp"
#include "engine/cuda/cuda_engine.hpp"
#include "engine/opencl/discovery.hpp"
#include "engine/opencl/opencl_engine.hpp"
#include "engine/virtual/virtual_engine.hpp"
#include "wattune/engine.hpp"

namespace wattune {
namespace {

/// One programming interface: lists its devices, and opens one of them by its id.
struct Interface {
  std::string_view name;
  void (*list)(EngineListing& listing);
  std::unique_ptr<Engine> (*open)(const std::string& id, Clock& clock);
};

void list_opencl(EngineListing& listing) {
  const engine::opencl::LoadedApi& loaded = engine::opencl::load_api();
  if (!loaded.api) {
    listing.absent.push_back(loaded.problem);
    return;
  }
  const auto found = engine::opencl::discover(*loaded.api);
  for (const auto& device : found) listing.devices.push_back(device.description);
  if (found.empty()) {
    listing.absent.push_back({"opencl", "the loader is there, but no platform offers a device with a compiler",
                              "install a driver, e.g. pocl-opencl-icd for the CPU"});
  }
}

std::unique_ptr<Engine> open_opencl(const std::string& id, Clock& clock) {
  const auto found = engine::opencl::discover(*engine::opencl::load_api().api);
  for (const auto& device : found) {
    if (device.description.id == id) {
      return std::make_unique<engine::opencl::OpenClEngine>(*engine::opencl::load_api().api, device, clock);
    }
  }
  throw Error(ExitCode::no_device, "the device is gone", id);
}

/// Driver and compiler; without one of them CUDA cannot be used, and `absent` says why.
struct Cuda {
  const engine::cuda::DriverApi* driver = nullptr;
  const engine::cuda::LoadedNvrtc* nvrtc = nullptr;
  Problem absent;
};

Cuda load_cuda() {
  const engine::cuda::LoadedDriver& driver = engine::cuda::load_driver();
  if (!driver.api) return {nullptr, nullptr, driver.problem};
  const engine::cuda::LoadedNvrtc& nvrtc = engine::cuda::load_nvrtc(engine::cuda::driver_version(*driver.api).major);
  if (!nvrtc.api) return {nullptr, nullptr, nvrtc.problem};
  return {&*driver.api, &nvrtc, {}};
}

std::vector<engine::cuda::FoundDevice> discover_cuda(const Cuda& cuda) {
  const engine::cuda::Compiler compiler(*cuda.nvrtc->api, 0, {});
  return engine::cuda::discover(*cuda.driver, compiler.version());
}

void list_cuda(EngineListing& listing) {
  const Cuda cuda = load_cuda();
  if (cuda.driver == nullptr || cuda.nvrtc == nullptr) {
    listing.absent.push_back(cuda.absent);
    return;
  }
  const auto found = discover_cuda(cuda);
  for (const auto& device : found) listing.devices.push_back(device.description);
  if (found.empty())
    listing.absent.push_back({"cuda", "the driver works but shows no device", "check CUDA_VISIBLE_DEVICES"});
}

std::unique_ptr<Engine> open_cuda(const std::string& id, Clock& clock) {
  const Cuda cuda = load_cuda();
  if (cuda.driver == nullptr || cuda.nvrtc == nullptr) throw Error(ExitCode::no_device, {cuda.absent});
  for (const auto& device : discover_cuda(cuda)) {
    if (device.description.id != id) continue;
    engine::cuda::Compiler compiler(*cuda.nvrtc->api, device.capability, cuda.nvrtc->include_folders);
    return std::make_unique<engine::cuda::CudaEngine>(*cuda.driver, device, std::move(compiler), clock);
  }
  throw Error(ExitCode::no_device, "the device is gone", id);
}

constexpr std::array interfaces = {Interface{"cuda", list_cuda, open_cuda},
                                   Interface{"opencl", list_opencl, open_opencl}};

/// True when `device` can only mean a device of another interface, which then need not be loaded.
bool excluded(const Interface& interface, const std::string& device) {
  return std::any_of(interfaces.begin(), interfaces.end(), [&](const Interface& other) {
    return other.name != interface.name && (device == other.name || device.starts_with(std::string(other.name) + ':'));
  });
}

EngineListing list_for(const std::string& device) {
  EngineListing listing;
  for (const Interface& interface : interfaces) {
    if (!excluded(interface, device)) interface.list(listing);
  }
  const auto rank = [](const DeviceDescription& d) {
    return d.interface_name == "cuda" ? 0 : d.kind == "gpu" ? 1 : d.kind == "accelerator" ? 2 : 3;
  };
  std::stable_sort(listing.devices.begin(), listing.devices.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return listing;
}

/// Exact names first, then parts of a name, so that "cpu" is the kind even where a device's name contains it.
const DeviceDescription* choose(const EngineListing& listing, const std::string& device) {
  const std::string wanted = base::lower(device);
  const auto first = [&](auto matches) -> const DeviceDescription* {
    const auto found = std::find_if(listing.devices.begin(), listing.devices.end(), matches);
    return found != listing.devices.end() ? &*found : nullptr;
  };
  if (const auto* found = first([&](const DeviceDescription& d) {
        return wanted.empty() || wanted == "auto" || wanted == d.id || wanted == d.kind || wanted == d.interface_name ||
               wanted == base::lower(d.uuid) || (!d.pci_bus.empty() && wanted == base::lower(d.pci_bus));
      })) {
    return found;
  }
  if (wanted == "gpu" || wanted == "cpu" || wanted == "accelerator") return nullptr;
  return first([&](const DeviceDescription& d) { return base::lower(d.name).find(wanted) != std::string::npos; });
}

[[noreturn]] void no_such_device(const EngineListing& listing, const std::string& device) {
  std::vector<Problem> problems;
  std::string there;
  for (const DeviceDescription& d : listing.devices) there += (there.empty() ? "" : ", ") + d.id + " (" + d.name + ")";
  problems.push_back({"device '" + device + "'", "not found", there.empty() ? "" : "there is " + there});
  problems.insert(problems.end(), listing.absent.begin(), listing.absent.end());
  throw Error(ExitCode::no_device, std::move(problems));
}

}  // namespace

EngineListing list_engines() {
  return list_for({});
}

bool is_virtual(const std::string& device) {
  return base::lower(device).starts_with(sim::id_prefix);
}

std::unique_ptr<Clock> simulated_clock_for(const std::string& device) {
  return is_virtual(device) ? std::make_unique<ManualClock>() : nullptr;
}

std::unique_ptr<Engine> open_engine(const std::string& device, Clock& clock) {
  if (is_virtual(device)) return engine::simulated::open(base::lower(device), clock);  // never by a part of its name
  const EngineListing listing = list_for(base::lower(device));
  const DeviceDescription* chosen = choose(listing, device);
  if (chosen == nullptr) no_such_device(listing, device);
  for (const Interface& interface : interfaces) {
    if (chosen->interface_name == interface.name) return interface.open(chosen->id, clock);
  }
  no_such_device(listing, device);
}

}  // namespace wattune
