# The Debian packages Braid needs, and a function that installs what is missing. Sourced by run.sh and test.sh.

braid_packages_build=(
  build-essential cmake ninja-build ccache pkg-config git
  nlohmann-json3-dev libspdlog-dev libcli11-dev zlib1g-dev
  libavformat-dev libavcodec-dev libavutil-dev libswresample-dev libsoxr-dev
  portaudio19-dev libpulse-dev libwebrtc-audio-processing-dev
  qt6-base-dev qt6-svg-dev
  # The window in other languages: CMake's and Qt's tools for translations, and Qt's own translated texts.
  qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools qt6-translations-l10n
  libcurl4-openssl-dev libssl-dev
  # OpenBLAS, because libtorch alone comes with the reference BLAS, which is fifty times slower.
  libopenblas0-openmp
  # Gloo's headers, for training in several processes.
  libgloo-dev
)
# What a person needs to look at and listen to the program.
braid_packages_run=(libqt6svg6 qt6-qpa-plugins fonts-dejavu-core libasound2-plugins)
# For making and timing training speech (braid-cli synth, align): libpocketsphinx is found at build time, the rest when it is wanted.
braid_packages_training=(libpocketsphinx-dev pocketsphinx-en-us espeak-ng flite festival festvox-kallpc16k festvox-kdlpc16k festvox-us-slt-hts)
braid_packages_test=("${braid_packages_training[@]}" libasound2-plugins clang-14 libclang-rt-14-dev clang-format-16 ffmpeg xvfb xauth parallel pulseaudio pulseaudio-utils fonts-dejavu-core python3)

# What installer/package.sh needs, and what tests/installer/check_pages.py checks its pages with.
braid_packages_package=(dpkg-dev patchelf python3 xz-utils qt6-wayland qt6-xdgdesktopportal-platformtheme)
braid_packages_test+=(man-db desktop-file-utils appstream shellcheck libxml2-utils zsh fish)

# Debian's libtorch, unless CMAKE_PREFIX_PATH already leads to another one.
braid_torch_packages() {
  local prefix
  local IFS=':;'
  for prefix in ${CMAKE_PREFIX_PATH:-}; do
    if [ -e "$prefix/Torch/TorchConfig.cmake" ] || [ -e "$prefix/share/cmake/Torch/TorchConfig.cmake" ]; then
      return
    fi
  done
  echo libtorch-dev
}

# braid_install PACKAGE...: silent where everything is there already.
braid_install() {
  local missing=() package
  for package in "$@"; do
    if ! dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed'; then
      # cmake may be newer than Debian's, from elsewhere.
      if [ "$package" = cmake ] && command -v cmake >/dev/null 2>&1; then
        continue
      fi
      missing+=("$package")
    fi
  done
  [ "${#missing[@]}" -eq 0 ] && return 0
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "braid: these packages are missing and this is no Debian machine: ${missing[*]}" >&2
    return 3
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
      echo "braid: installing packages needs root. Run this once as root: apt-get install ${missing[*]}" >&2
      return 3
    fi
    as_root=(sudo)
  fi
  echo "braid: installing ${#missing[@]} packages: ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq update &&
         "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "braid: the packages could not be installed; the whole log is in $log" >&2
    return 3
  fi
  rm -f "$log"
}

# braid_build PRESET [TARGET...]: configures once, builds, and speaks only when something is wrong or long.
braid_build() {
  local preset=$1 log
  shift
  # Lets ccache see through precompiled headers.
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
  mkdir -p "build/$preset"
  log="build/$preset/build.log"
  if [ ! -e "build/$preset/build.ninja" ]; then
    echo "braid: configuring ($preset)"
    if ! cmake --preset "$preset" >"$log" 2>&1; then
      tail -n 30 "$log" >&2
      return 1
    fi
  fi
  if ninja -C "build/$preset" -n "$@" 2>/dev/null | grep -q 'no work to do'; then
    return 0
  fi
  echo "braid: building ($preset); the log is in $log"
  if ! cmake --build --preset "$preset" ${1:+--target "$@"} >"$log" 2>&1; then
    grep -E 'error|FAILED' -A 6 "$log" | tail -n 60 >&2
    return 1
  fi
}
