// The release of NVIDIA's kernel driver, which CUDA itself does not tell.
#pragma once

#include <string>

namespace wattune::engine::cuda {

/// "580.159.04" from the kernel module's own file, else from NVML; "" when neither answers.
std::string kernel_driver_release();

}  // namespace wattune::engine::cuda
