#!/usr/bin/env bash
# Makes packages of what is built:
#   installer/package.sh [BUILD_DIR [OUT_DIR]]             a Debian package, for the distribution it is made on
#   installer/package.sh --tarball [BUILD_DIR [OUT_DIR]]   an archive that brings its libraries, for any Linux with the glibc it is made on or a newer one
# Without BUILD_DIR the release preset is built; without OUT_DIR they come into dist/. It ends with the name of what it made.
# BRAID_MAINTAINER="Name <address>" stands in the Debian package.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
cd "$here"
# shellcheck source=installer/packages.sh
. installer/packages.sh

trouble() {
  echo "braid: $1" >&2
  exit 3
}

kind=deb
case "${1:-}" in
  --tarball) kind=tarball; shift ;;
  --help | -h) sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 0 ;;
  -*) echo "braid: there is no option $1. See installer/package.sh --help." >&2; exit 2 ;;
esac
build=${1:-}
out=${2:-dist}
if [ -z "$build" ]; then
  mapfile -t torch < <(braid_torch_packages)
  braid_install "${braid_packages_build[@]}" "${torch[@]}" "${braid_packages_run[@]}"
  braid_build release braid braid-cli
  build=build/release
fi
[ -f "$build/CMakeCache.txt" ] || trouble "$build is no build folder. Name one, or none to have it built."
for program in braid braid-cli; do
  [ -x "$build/app/$program" ] || trouble "$build/app/$program is missing. Build it first: cmake --build $build --target $program"
done
braid_install "${braid_packages_package[@]}"
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
[ -n "$version" ] || trouble "$build/CMakeCache.txt does not say which version it builds. Configure it anew."
mkdir -p "$out"
out=$(cd "$out" && pwd)
machine=$(uname -m)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

# install_into FOLDER PREFIX: programs, data, menu entry, icons, man pages and completions.
install_into() {
  DESTDIR=$1 cmake --install "$build" --prefix "$2" --strip >"$work/install.log" 2>&1 || {
    tail -n 20 "$work/install.log" >&2
    trouble "$build could not be installed"
  }
  [ -s "$1$2/share/man/man1/braid-cli.1" ] || trouble "the man pages were not made. Is python3 there? Configure $build anew."
}

make_deb() {
  local root=$work/root doc=$work/root/usr/share/doc/braid architecture depends maintainer package
  command -v dpkg-shlibdeps >/dev/null || trouble "dpkg-shlibdeps is missing: this is no Debian machine. --tarball makes an archive for others."
  architecture=$(dpkg --print-architecture)
  maintainer=${BRAID_MAINTAINER:-The Braid authors <maintainers@users.noreply.a-seed-77317c1f.example>}
  install_into "$root" /usr
  # Where Debian's zsh looks.
  mkdir -p "$root/usr/share/zsh"
  mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
  mkdir -p "$doc" "$root/DEBIAN" "$work/debian"
  cp installer/linux/copyright "$doc/copyright"
  cp CHANGELOG.md "$doc/changelog"
  {
    echo "braid ($version-1) unstable; urgency=medium"
    echo
    echo "  * Version $version. What is new stands in changelog.gz."
    echo
    echo " -- $maintainer  $(date -R -u -d "@$SOURCE_DATE_EPOCH")"
  } >"$doc/changelog.Debian"
  mkdir -p "$root/usr/share/lintian/overrides"
  printf '# It is not part of Debian, so its changelog closes none of Debian'"'"'s bugs.\nbraid: initial-upload-closes-no-bugs *\n' >"$root/usr/share/lintian/overrides/braid"
  gzip -9n "$doc/changelog" "$doc/changelog.Debian" "$doc/formats.md" "$root"/usr/share/man/man1/*.1
  find "$root" -type d -exec chmod 755 {} +
  find "$root" -type f ! -path "$root/usr/bin/*" -exec chmod 644 {} +

  printf 'Source: braid\nPackage: braid\nArchitecture: any\n' >"$work/debian/control"
  depends=$(cd "$work" && dpkg-shlibdeps -O -e root/usr/bin/braid -e root/usr/bin/braid-cli 2>"$work/shlibdeps.log") || {
    cat "$work/shlibdeps.log" >&2
    trouble "the libraries' packages could not be found"
  }
  depends=${depends#shlibs:Depends=}
  cat >"$root/DEBIAN/control" <<CONTROL
Package: braid
Version: $version-1
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: $depends, libopenblas0-openmp | libopenblas0
Recommends: ca-certificates, fonts-dejavu-core, libasound2-plugins, qt6-wayland
Suggests: espeak-ng, festival, flite, pocketsphinx-en-us
Section: sound
Priority: optional
Description: live captions that show what the model is doing
 Braid turns a voice into text while it speaks. Settled words never move, the
 unsettled tail is visibly unsettled, and every word has its time, its
 probability and its history. Other pages translate a text word by word while
 it is being read, and run conversations in parallel streams. Small models for
 all three are part of the package, and everything runs on the own machine.
 .
 This package has the window (braid) and the program for the terminal
 (braid-cli).
CONTROL
  (cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
  package=$out/braid_$version-1_$architecture.deb
  # Weights hardly shrink, so more than a little effort is for nothing.
  dpkg-deb --root-owner-group -Zxz -z2 --build "$root" "$package" >"$work/deb.log" || {
    cat "$work/deb.log" >&2
    trouble "the package could not be written to $out"
  }
  echo "$package"
}

# What every desktop has and what must fit its drivers, sound server and fonts; everything else is brought along.
stays_with_the_system() {
  case "$1" in
    linux-vdso.so.* | ld-linux*.so.* | libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libresolv.so.* | libutil.so.* | libmvec.so.* | libnss_*.so.* | libanl.so.*) ;;
    libstdc++.so.* | libgcc_s.so.*) ;;
    libGL.so.* | libEGL.so.* | libGLX.so.* | libGLdispatch.so.* | libOpenGL.so.* | libGLESv2.so.* | libgbm.so.* | libdrm*.so.* | libva*.so.* | libvdpau.so.* | libvulkan.so.* | libOpenCL.so.*) ;;
    libX11.so.* | libX11-xcb.so.* | libxcb.so.* | libxcb-dri*.so.* | libxcb-glx.so.* | libxcb-present.so.* | libxcb-sync.so.* | libxcb-xfixes.so.* | libxcb-shm.so.* | libxcb-randr.so.* | libXext.so.* | libXau.so.* | libXdmcp.so.* | libXfixes.so.*) ;;
    libwayland-*.so.*) ;;
    libfontconfig.so.* | libfreetype.so.* | libexpat.so.*) ;;
    libasound.so.* | libjack.so.*) ;;
    *) return 1 ;;
  esac
}

# libraries_of FILE...: NAME TAB PATH of all that they load, but for what stays with the system.
libraries_of() {
  local name path
  ldd "$@" 2>/dev/null | sed -n 's/^\t\([^ ]*\) => \(\/[^ ]*\) (.*/\1\t\2/p' | LC_ALL=C sort -u | while IFS=$'\t' read -r name path; do
    stays_with_the_system "$name" || printf '%s\t%s\n' "$name" "$path"
  done
}

make_tarball() {
  local name=braid-$version-linux-$machine plugins file library path owner owners tree
  tree=$work/$name
  command -v patchelf >/dev/null || trouble "patchelf is missing"
  install_into "$work/stage" /usr
  mv "$work/stage/usr" "$tree"
  mkdir -p "$tree/lib/braid/plugins" "$tree/share/doc/braid/libraries"
  cp LICENSE "$tree/"
  install -m 755 installer/linux/install-for-me.sh "$tree/install-for-me"
  plugins=$(qtpaths6 --query QT_INSTALL_PLUGINS 2>/dev/null || /usr/lib/qt6/bin/qtpaths --query QT_INSTALL_PLUGINS 2>/dev/null || /usr/lib/qt6/bin/qmake --query QT_INSTALL_PLUGINS)
  for file in platforms/libqxcb.so platforms/libqoffscreen.so platforms/libqwayland-generic.so platforms/libqwayland-egl.so iconengines/libqsvgicon.so imageformats/libqsvg.so \
    imageformats/libqjpeg.so platforminputcontexts/libcomposeplatforminputcontextplugin.so platforminputcontexts/libibusplatforminputcontextplugin.so \
    xcbglintegrations/libqxcb-egl-integration.so xcbglintegrations/libqxcb-glx-integration.so platformthemes/libqxdgdesktopportal.so \
    wayland-shell-integration/libxdg-shell.so wayland-decoration-client/libbradient.so wayland-graphics-integration-client/libqt-plugin-wayland-egl.so; do
    if [ -f "$plugins/$file" ]; then
      mkdir -p "$tree/lib/braid/plugins/${file%/*}"
      cp "$plugins/$file" "$tree/lib/braid/plugins/$file"
    fi
  done
  [ -f "$tree/lib/braid/plugins/platforms/libqxcb.so" ] || trouble "Qt's plug-ins were not found in $plugins"
  printf '[Paths]\nPrefix = ..\nPlugins = lib/braid/plugins\n' >"$tree/bin/qt.conf"

  libraries_of "$build/app/braid" "$build/app/braid-cli" "$tree"/lib/braid/plugins/*/*.so >"$work/libraries"
  while IFS=$'\t' read -r library path; do
    cp -L "$path" "$tree/lib/braid/$library"
    chmod 644 "$tree/lib/braid/$library"
    # Their licences come along; dpkg knows a file by one of its two names.
    path=$(readlink -f "$path")
    owners=$({ dpkg-query -S "$path" || dpkg-query -S "${path#/usr}"; } 2>/dev/null || true)
    owner=${owners%%:*}
    if [ -n "$owner" ] && [ -f "/usr/share/doc/$owner/copyright" ]; then
      cp -L "/usr/share/doc/$owner/copyright" "$tree/share/doc/braid/libraries/$owner"
    else
      echo "braid: it is not known who holds the rights to $library ($path), so its licence is not in the archive" >&2
    fi
  done <"$work/libraries"
  patchelf --set-rpath "\$ORIGIN/../lib/braid" "$tree/bin/braid" "$tree/bin/braid-cli"
  for file in "$tree"/lib/braid/*.so*; do
    patchelf --set-rpath "\$ORIGIN" "$file"
  done
  for file in "$tree"/lib/braid/plugins/*/*.so; do
    patchelf --set-rpath "\$ORIGIN/../.." "$file"
  done
  cat >"$tree/README" <<README
Braid $version

bin/braid is the window, bin/braid-cli the program for the terminal; the folder can stand anywhere. Nothing else is to be installed on a desktop with glibc
$(ldd --version | sed -n '1s/.* //p') or newer: the libraries in lib/braid are those of the machine on which this was made, with their licences in share/doc/braid/libraries.
./install-for-me puts it into the menu and on the path of one person, ./install-for-me --remove takes it out again.
README
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$work" -cf - "$name" | gzip -4n >"$out/$name.tar.gz.part"
  mv "$out/$name.tar.gz.part" "$out/$name.tar.gz"
  echo "$out/$name.tar.gz"
}

"make_$kind"
