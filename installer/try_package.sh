#!/usr/bin/env bash
# Tries a package in a fresh root, which debootstrap makes (as root): installs it, asks for its version, captions the sample with the model in the box,
# opens the window without a display for two seconds and takes its picture, removes it, and says what is left over.
#   installer/try_package.sh [--suite SUITE] [--mirror URL] [--before OLD.deb] [--picture FILE] PACKAGE.deb
#   installer/try_package.sh [--suite SUITE] [--mirror URL] [--picture FILE] ARCHIVE.tar.gz      an archive of package.sh --tarball: neither Qt nor libtorch is there
# --suite: bookworm (the default), trixie, noble ...; --before: this older package is installed and used first, so that the new one is an upgrade.
# BRAID_ROOTS (/var/tmp/braid-roots): where fresh roots are kept for the next time.
set -euo pipefail
cd "$(dirname "$0")/.."

trouble() {
  echo "braid: $1" >&2
  exit 3
}
say() { echo "braid: $1"; }

suite=bookworm mirror='' before='' picture='' package=''
while [ $# -gt 0 ]; do
  case "$1" in
    --suite | --mirror | --before | --picture)
      [ $# -gt 1 ] || trouble "$1 needs a value"
      printf -v "${1#--}" '%s' "$2"
      shift
      ;;
    -*) echo "braid: there is no option $1" >&2; exit 2 ;;
    *) package=$1 ;;
  esac
  shift
done
[ -f "$package" ] || trouble "name the package to try: a .deb or a .tar.gz that installer/package.sh made"
[ "$(id -u)" -eq 0 ] || trouble "a fresh root can only be made as root"
command -v debootstrap >/dev/null || trouble "debootstrap is missing. Install it: apt-get install debootstrap"
case "$suite" in
  # Ubuntu's: its packages need zstd, and without its keys on this machine debootstrap cannot check them.
  noble | jammy | oracular | plucky) mirror=${mirror:-http://archive.ubuntu.com/ubuntu} components=main,universe script=gutsy ;;
  *) mirror=${mirror:-http://deb.debian.org/debian} components=main script=sid ;;
esac

roots=${BRAID_ROOTS:-/var/tmp/braid-roots}
mkdir -p "$roots"
if [ ! -d "$roots/$suite" ]; then
  say "a fresh $suite is made in $roots/$suite"
  rm -rf --one-file-system "$roots/$suite.part"
  # A debootstrap older than the suite knows it by the recipe of its relatives.
  if [ -e "/usr/share/debootstrap/scripts/$suite" ]; then
    script=$suite
  fi
  debootstrap --variant=minbase --components="$components" "$suite" "$roots/$suite.part" "$mirror" "/usr/share/debootstrap/scripts/$script" >"$roots/$suite.log" 2>&1 || trouble "debootstrap failed; its log is $roots/$suite.log"
  mv "$roots/$suite.part" "$roots/$suite"
fi

root=$(mktemp -d "$roots/try-XXXXXX")
gone() {
  if mountpoint -q "$root/proc"; then
    umount "$root/proc"
  fi
  rm -rf --one-file-system "$root"
}
trap gone EXIT
cp -a "$roots/$suite/." "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"
mount -t proc proc "$root/proc"

faults=0
fault() {
  echo "braid: FAULT: $1" >&2
  faults=$((faults + 1))
}
as_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
exec_it=()
as_person() { "${exec_it[@]}" chroot --userspec=1000:1000 "$root" env -i PATH="$programs:/usr/bin:/bin" HOME=/home/person XDG_RUNTIME_DIR=/tmp/person LC_ALL=C.UTF-8 QT_QPA_PLATFORM=offscreen "$@"; }
install_packages() {
  if ! as_root apt-get -q install -y --no-install-recommends "$@" >"$root/tmp/apt.log" 2>&1; then
    tail -n 20 "$root/tmp/apt.log" >&2
    return 1
  fi
}
as_root useradd --uid 1000 --create-home person
install -d -o 1000 -g 1000 -m 700 "$root/tmp/person"
as_root apt-get -qq update
programs=/usr/bin

# Files of the system; what package management itself writes does not count.
files_of_root() {
  as_root find / -xdev \( -path /proc -o -path /tmp -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache -o -path /var/log -o -path /home \) -prune -o -print | LC_ALL=C sort
}

# used: each program once, as a person.
used() {
  local answer words window waited
  answer=$(as_person braid-cli --version) || fault "braid-cli --version ended with $?"
  say "it says: $answer"
  answer=$(as_person braid --version) || fault "braid --version ended with $?"
  say "and: $answer"
  answer=$(as_person braid-cli caption "$data/samples/caption-sample.flac" --format text --quiet) || fault "captioning the sample ended with $?"
  words=$(wc -w <<<"$answer")
  say "captions of the sample, $words words: $(head -n 2 <<<"$answer" | tr '\n' ' ')"
  [ "$words" -ge 20 ] || fault "the captions of the sample have only $words words"
  (exec_it=(exec) && as_person braid) >"$root/tmp/window.log" 2>&1 &
  window=$!
  # Up to half a minute until Qt has taken its screen that is none, then two seconds more.
  for ((waited = 0; waited < 60; waited++)); do
    if grep -qs libqoffscreen "/proc/$window/maps" || ! kill -0 "$window" 2>/dev/null; then
      break
    fi
    sleep 0.5
  done
  sleep 2
  if grep -qs libqoffscreen "/proc/$window/maps"; then
    say "the window opened and stood for two seconds"
  else
    fault "the window did not stay open: $(tail -n 3 "$root/tmp/window.log")"
  fi
  kill "$window" 2>/dev/null || true
  wait "$window" 2>/dev/null || true
  if as_person braid --sample --screenshot /tmp/person/window.png >"$root/tmp/window.log" 2>&1 && [ -s "$root/tmp/person/window.png" ]; then
    say "the window's picture was taken"
    [ -z "$picture" ] || cp "$root/tmp/person/window.png" "$picture"
  else
    fault "no picture of the window could be taken: $(tail -n 3 "$root/tmp/window.log")"
  fi
}

try_deb() {
  local listed
  data=/usr/share/braid
  files_of_root >"$root/tmp/files-before"
  if [ -n "$before" ]; then
    cp "$before" "$root/tmp/before.deb"
    install_packages /tmp/before.deb || trouble "the older package could not be installed"
    say "installed the older one: $(as_person braid-cli --version)"
    # Settings, and the journal of a run that was killed.
    as_person timeout 2 braid --theme dark >/dev/null 2>&1 || true
    as_person timeout -s KILL 4 braid-cli caption "$data/samples/caption-sample.flac" --realtime --journal /home/person/.local/share/braid/sessions --format text >/dev/null 2>&1 || true
    (cd "$root/home/person" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/tmp/home-before"
    [ -s "$root/tmp/home-before" ] || fault "the older program left neither settings nor a journal"
  fi
  cp "$package" "$root/tmp/braid.deb"
  install_packages /tmp/braid.deb || trouble "the package could not be installed in a fresh $suite"
  say "installed in a fresh $suite with $(as_root apt-mark showauto | wc -l) other packages"
  if [ -n "$before" ]; then
    (cd "$root/home/person" && md5sum --quiet -c "$root/tmp/home-before") || fault "the upgrade changed files of a person"
    listed=$(as_person braid-cli recover --list --journal /home/person/.local/share/braid/sessions) || fault "the journals of the older one cannot be listed"
    [ -n "$listed" ] || fault "the interrupted journal of the older one is not offered"
    say "journals of the older one: $listed"
  fi
  used
  as_root dpkg -L braid >"$root/tmp/files-of-braid"
  as_root apt-get -q purge -y braid >"$root/tmp/apt.log" 2>&1 || fault "it could not be removed: $(tail -n 3 "$root/tmp/apt.log")"
  as_root apt-get -q autoremove --purge -y >>"$root/tmp/apt.log" 2>&1 || fault "what it had brought along could not be removed"
  files_of_root >"$root/tmp/files-after"
  LC_ALL=C comm -13 "$root/tmp/files-before" "$root/tmp/files-after" >"$root/tmp/left"
  if grep -i braid "$root/tmp/left" >&2; then
    fault "the files above are left over"
  fi
  say "removed; left over of its own: nothing, of what it had brought along: $(wc -l <"$root/tmp/left") files$(sed -n '1,5s/^/ /p' "$root/tmp/left" | tr -d '\n')"
  say "a person's own files stay: $(cd "$root/home/person" && find . -path './.*' -type f | sed -n '/braid/Ip' | wc -l)"
}

try_tarball() {
  local basics each
  # What a desktop has: graphics, fonts, the sound library. No Qt, no libtorch.
  for each in libgl1 libegl1 libopengl0 libx11-6 libx11-xcb1 libxext6 libxfixes3 libxcb-dri2-0 libxcb-dri3-0 libxcb-glx0 libxcb-present0 libxcb-randr0 libxcb-shm0 libxcb-sync1 libxcb-xfixes0 \
    libdrm2 libva2 libva-drm2 libva-x11-2 libvdpau1 ocl-icd-libopencl1 libwayland-client0 libwayland-cursor0 libwayland-egl1 libfontconfig1 libfreetype6 libasound2 libjack-jackd2-0 fonts-dejavu-core; do
    for basics in "$each" "${each}t64"; do
      if [ -n "$(as_root apt-cache show "$basics" 2>/dev/null)" ] && install_packages "$basics" 2>/dev/null; then
        continue 2
      fi
    done
    say "$each is not to be had in $suite"
  done
  if as_root dpkg-query -W 'libqt6*' 'libtorch*' 'libopenblas*' 2>/dev/null | grep .; then
    trouble "these are there already, so the archive would not be tried"
  fi
  mkdir -p "$root/opt/braid"
  tar -C "$root/opt/braid" --strip-components=1 -xzf "$package" || trouble "the archive could not be unpacked"
  programs=/opt/braid/bin
  data=/opt/braid/share/braid
  each=$(as_root sh -c 'ldd /opt/braid/bin/braid /opt/braid/bin/braid-cli /opt/braid/lib/braid/*.so* /opt/braid/lib/braid/plugins/*/*.so 2>/dev/null | grep "not found" | sort -u' || true)
  [ -z "$each" ] || fault "libraries are missing: $each"
  used
  files_of_person() { (cd "$root/home/person" && find . ! -type d ! -path './.cache/*' ! -path './.local/share/mime/*' | LC_ALL=C sort); }
  files_of_person >"$root/tmp/files-before"
  as_person /opt/braid/install-for-me >"$root/tmp/menu.log" 2>&1 || fault "it could not be put into the menu: $(tail -n 3 "$root/tmp/menu.log")"
  programs=/home/person/.local/bin
  as_person braid-cli --version >/dev/null || fault "it does not start from ~/.local/bin"
  as_root grep -q '^Exec="/opt/braid/bin/braid"' /home/person/.local/share/applications/org.braid.Braid.desktop || fault "the menu entry does not lead to the program"
  as_person /opt/braid/install-for-me --remove >"$root/tmp/menu.log" 2>&1 || fault "it could not be taken out of the menu: $(tail -n 3 "$root/tmp/menu.log")"
  files_of_person >"$root/tmp/files-after"
  if LC_ALL=C comm -13 "$root/tmp/files-before" "$root/tmp/files-after" | grep . >&2; then
    fault "the files above are left over"
  fi
  say "put into the menu of one person and taken out again; left over: nothing"
}

case "$package" in
  *.deb) try_deb ;;
  *.tar.gz) try_tarball ;;
  *) trouble "$package is neither a .deb nor a .tar.gz" ;;
esac
[ "$faults" -eq 0 ] || trouble "$faults faults in $suite"
say "no fault in $suite"
