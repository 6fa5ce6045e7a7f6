# Embeds a text file in a room's library: a .cpp in the build tree defines `std::string_view <function>()` in the room's
# namespace. The header that declares it is the room's own. Regenerated when the file changes.

function(wattune_embed room file function)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
  file(READ ${PROJECT_SOURCE_DIR}/${file} text)
  set(generated ${PROJECT_BINARY_DIR}/generated/${room}/${function}.cpp)
  file(CONFIGURE OUTPUT ${generated} @ONLY CONTENT [=[
// Generated from @file@; edit that instead.
#include <string_view>

namespace wattune::@room@ {

std::string_view @function@() {
  return R"wattune_text(@text@)wattune_text";
}

}  // namespace wattune::@room@
]=])
  target_sources(wattune_${room} PRIVATE ${generated})
endfunction()
