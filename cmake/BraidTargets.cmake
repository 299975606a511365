# Helpers that give every target of the project the same warnings, definitions and include root.

function(braid_common target)
  # _REENTRANT: some packages ask for -pthread, which defines it, and a precompiled header fits only where it is defined alike.
  target_compile_definitions(${target} PRIVATE QT_NO_KEYWORDS QT_NO_CAST_FROM_BYTEARRAY _REENTRANT)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wnon-virtual-dtor -Woverloaded-virtual
    $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>)
  if(BRAID_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Standard headers cost seconds a file: one precompiled header for core, three (with Qt Test) for the tests. Sources still include
# what they use, so that they also build without.
file(WRITE ${CMAKE_BINARY_DIR}/pch/empty.cpp "")
file(WRITE ${CMAKE_BINARY_DIR}/pch/main.cpp "int main() {}\n")
set(BRAID_STANDARD_HEADERS <algorithm> <array> <atomic> <chrono> <cmath> <condition_variable> <cstdint> <filesystem> <functional> <map> <memory>
  <mutex> <optional> <span> <stdexcept> <stop_token> <string> <string_view> <thread> <utility> <variant> <vector>)
add_library(braid_precompiled STATIC ${CMAKE_BINARY_DIR}/pch/empty.cpp)
target_precompile_headers(braid_precompiled PRIVATE ${BRAID_STANDARD_HEADERS})
braid_common(braid_precompiled)

# braid_library(NAME SOURCES ... [DEPENDS ...] [PRIVATE_DEPENDS ...] [OWN_PRECOMPILED])
# A static library of one folder of core/ or ui/; OWN_PRECOMPILED where the folder brings its own precompiled header. Headers are included from the project root: "core/audio/ring.h".
function(braid_library name)
  cmake_parse_arguments(arg "OWN_PRECOMPILED" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${arg_DEPENDS} PRIVATE ${arg_PRIVATE_DEPENDS})
  braid_common(${name})
  if(NOT arg_OWN_PRECOMPILED)
    target_precompile_headers(${name} REUSE_FROM braid_precompiled)
  endif()
endfunction()

# The carrier of a precompiled header with Qt Test; made once.
function(braid_test_headers name)
  if(TARGET ${name})
    return()
  endif()
  cmake_parse_arguments(arg "" "" "LIBS;HEADERS" ${ARGN})
  add_executable(${name} ${CMAKE_BINARY_DIR}/pch/main.cpp)
  target_link_libraries(${name} PRIVATE ${arg_LIBS} Qt6::Test)
  target_precompile_headers(${name} PRIVATE ${BRAID_STANDARD_HEADERS} <QtTest> ${arg_HEADERS})
  braid_common(${name})
endfunction()

# braid_test(NAME SOURCES ... LIBS ... [LABELS ...] [TIMEOUT seconds])
# One Qt Test program, run without a display, from the source root, so that ../shared/data is found where it is present.
function(braid_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  # A test class stands in a source of its own name, which includes what moc makes of it. AUTOMOC would cost each of a hundred tests a
  # scan and an empty file to compile: two seconds of a core.
  set(source ${arg_SOURCES})
  list(FILTER source INCLUDE REGEX "(^|/)${name}[.]cpp$")
  qt_generate_moc(${CMAKE_CURRENT_SOURCE_DIR}/${source} ${CMAKE_CURRENT_BINARY_DIR}/${name}.moc TARGET ${name})
  target_sources(${name} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${name}.moc)
  target_link_libraries(${name} PRIVATE ${arg_LIBS} Qt6::Test)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR})
  target_compile_definitions(${name} PRIVATE BRAID_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  braid_common(${name})
  list(JOIN arg_LIBS " " libraries)
  # libtorch's and Qt Gui's compile flags differ, so each of the three kinds has a header of its own.
  if(libraries MATCHES "braid_ui( |$)")
    braid_test_headers(braid_ui_test_precompiled LIBS braid_ui Qt6::Widgets HEADERS <QtWidgets>)
    target_precompile_headers(${name} REUSE_FROM braid_ui_test_precompiled)
  elseif(libraries MATCHES "braid_(models|nn|train|decoder_lm|language_models)( |$)")
    braid_test_headers(braid_torch_test_precompiled LIBS braid_nn HEADERS <ATen/ATen.h>)
    target_precompile_headers(${name} REUSE_FROM braid_torch_test_precompiled)
  else()
    braid_test_headers(braid_test_precompiled)
    target_precompile_headers(${name} REUSE_FROM braid_test_precompiled)
  endif()
  # What the address sanitizer's build leaves out (libtorch, the window, the programs) is "upper"; installer/test.sh runs every suite
  # once: these in the ordinary build, the others sanitized.
  if(libraries MATCHES "braid_(models|nn|train|ui)( |$)" OR CMAKE_CURRENT_SOURCE_DIR MATCHES "tests/(app|ui)")
    list(APPEND arg_LABELS upper)
    set(storey braid_upper_tests)
  else()
    set(storey braid_lower_tests)
  endif()
  if(NOT TARGET ${storey})
    add_custom_target(${storey})
  endif()
  add_dependencies(${storey} ${name})
  if("threads" IN_LIST arg_LABELS)
    # The thread sanitizer's run builds only these.
    if(NOT TARGET braid_thread_tests)
      add_custom_target(braid_thread_tests)
    endif()
    add_dependencies(braid_thread_tests ${name})
  endif()
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QT_LOGGING_RULES=qt.qpa.*=false;OMP_WAIT_POLICY=passive;QTEST_FUNCTION_TIMEOUT=600000;TSAN_OPTIONS=die_after_fork=0:suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp")
endfunction()
