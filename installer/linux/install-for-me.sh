#!/bin/sh
# Puts the programs of this folder into the menu and on the path of one person (~/.local), by links; --remove takes them out again.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=${XDG_DATA_HOME:-$HOME/.local/share}
bin=$HOME/.local/bin
entry=$data/applications/org.braid.Braid.desktop

# Each link that is made, as what it leads to and where it stands.
links() {
  echo "bin/braid $bin/braid"
  echo "bin/braid-cli $bin/braid-cli"
  for file in icons/hicolor/scalable/apps/org.braid.Braid.svg mime/packages/org.braid.Braid.xml man/man1/braid.1 man/man1/braid-cli.1 \
    bash-completion/completions/braid bash-completion/completions/braid-cli; do
    echo "share/$file $data/$file"
  done
  for program in braid braid-cli; do
    echo "share/fish/vendor_completions.d/$program.fish $data/fish/vendor_completions.d/$program.fish"
  done
}

refresh() {
  if command -v update-mime-database >/dev/null 2>&1 && [ -d "$data/mime/packages" ]; then update-mime-database "$data/mime"; fi
  if command -v update-desktop-database >/dev/null 2>&1 && [ -d "$data/applications" ]; then update-desktop-database "$data/applications"; fi
}

case "${1:-}" in
  '')
    links | while read -r from to; do
      if [ -e "$to" ] && [ ! -L "$to" ]; then
        echo "braid: $to is there already and is not ours. Move it away first." >&2
        exit 3
      fi
      mkdir -p "${to%/*}"
      ln -sf "$here/$from" "$to"
    done
    mkdir -p "$data/applications"
    # The menu may know another path than a shell.
    sed -e "s|^Exec=braid|Exec=\"$here/bin/braid\"|" -e "s|^TryExec=.*|TryExec=$here/bin/braid|" "$here/share/applications/org.braid.Braid.desktop" >"$entry"
    refresh
    echo "braid: it is in the menu; the programs are $bin/braid and $bin/braid-cli"
    ;;
  --remove)
    links | while read -r from to; do
      if [ "$(readlink "$to" || true)" = "$here/$from" ]; then rm -f "$to"; fi
    done
    rm -f "$entry"
    refresh
    echo "braid: it is out of the menu. Models, journals and settings stay; this folder can be deleted."
    ;;
  *)
    echo "braid: $0 takes nothing or --remove" >&2
    exit 2
    ;;
esac
