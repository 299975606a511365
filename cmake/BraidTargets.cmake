# Helpers that give every target of the project the same warnings, definitions and include root.

function(braid_common target)
  target_compile_definitions(${target} PRIVATE QT_NO_KEYWORDS QT_NO_CAST_FROM_BYTEARRAY)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wnon-virtual-dtor -Woverloaded-virtual
    $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>)
  if(BRAID_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# braid_library(NAME SOURCES ... [DEPENDS ...] [PRIVATE_DEPENDS ...])
# A static library of one folder of core/ or ui/. Headers are included from the project root: "core/audio/ring.h".
function(braid_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${arg_DEPENDS} PRIVATE ${arg_PRIVATE_DEPENDS})
  braid_common(${name})
endfunction()

# braid_test(NAME SOURCES ... LIBS ... [LABELS ...] [TIMEOUT seconds])
# One Qt Test program, run without a display, from the source root, so that ../shared/data is found where it is present.
function(braid_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_link_libraries(${name} PRIVATE ${arg_LIBS} Qt6::Test)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE BRAID_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  braid_common(${name})
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QT_LOGGING_RULES=qt.qpa.*=false;OMP_WAIT_POLICY=passive;QTEST_FUNCTION_TIMEOUT=600000")
endfunction()
