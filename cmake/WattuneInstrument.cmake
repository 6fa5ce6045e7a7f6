# Sanitizers and coverage: flags for every target, before any target is made.

if(WATTUNE_SANITIZE)
  add_compile_options(-fsanitize=${WATTUNE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WATTUNE_SANITIZE})
  # Full debug information would make these builds several times larger; lines are all that a report shows.
  add_compile_options($<$<CONFIG:RelWithDebInfo>:-O1> -g1)
endif()
if(WATTUNE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
endif()
if(WATTUNE_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
