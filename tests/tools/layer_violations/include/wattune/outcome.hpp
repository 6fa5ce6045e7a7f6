// Input of the test check.layers.catches: a public header with third-party and vendor headers.
#include <nlohmann/json.hpp>
#include <nvml.h>
#include "record/names.hpp"
