// Which virtual GPUs live in this process: an engine makes one, and the sensors and controls of the same id find it.
#pragma once

#include <memory>
#include <string>

#include "sim/virtual_gpu.hpp"

namespace wattune::sim {

/// A new one on this clock, which find_instance() gives from now on for its id. Throws as parse_id().
std::shared_ptr<VirtualGpu> make_instance(const std::string& id, Clock& clock);

/// The one made last with this id, while somebody holds it; else null. Safe from several threads.
std::shared_ptr<VirtualGpu> find_instance(const std::string& id);

}  // namespace wattune::sim
