#include "sim/instances.hpp"

#include <map>
#include <mutex>

namespace wattune::sim {
namespace {

struct Instances {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<VirtualGpu>> by_id;
};

Instances& instances() {
  static Instances all;
  return all;
}

}  // namespace

std::shared_ptr<VirtualGpu> make_instance(const std::string& id, Clock& clock) {
  auto made = std::make_shared<VirtualGpu>(id, parse_id(id), clock);
  const std::lock_guard lock(instances().mutex);
  instances().by_id[id] = made;
  return made;
}

std::shared_ptr<VirtualGpu> find_instance(const std::string& id) {
  const std::lock_guard lock(instances().mutex);
  const auto found = instances().by_id.find(id);
  return found == instances().by_id.end() ? nullptr : found->second.lock();
}

}  // namespace wattune::sim
