#!/bin/sh
# copy-browser.sh TARGET BASE: copies Debian's headless shell to TARGET, with what it opens when it shows a page, and
# nothing that the system at BASE has already. Its packages depend on far more, a whole desktop's tools and LLVM. Fails
# where a file is missing that this script names or that the linker looks for.
set -eu
target=$1 base=$2
folder=/usr/lib/chromium
packages=$(mktemp)

# By the name given, so that a library has the name that programs ask for; links are followed.
copy() {
  path=$(realpath "$(dirname "$1")")/$(basename "$1")
  if cmp -s "$path" "$base$path"; then return; fi
  install -D -m "$(stat -Lc %a "$path")" "$path" "$target$path"
  # Some packages have a file where it was before /lib became a part of /usr.
  file=$(realpath "$path")
  found=$(dpkg-query -S "$file" 2>/dev/null || dpkg-query -S "${file#/usr}")
  echo "${found%%:*}" >>"$packages"
}

# The rest of the folder is for full Chromium (resources.pak, chrome_*.pak, crash reports) or for those who develop it
# (Vulkan's validation). SwiftShader is for pages that draw with WebGL.
copy /usr/bin/chromium-headless-shell
for name in chromium-headless-shell headless_command_resources.pak headless_lib_data.pak headless_lib_strings.pak \
  locales/en-US.pak icudtl.dat v8_context_snapshot.bin \
  libEGL.so libGLESv2.so libvulkan.so.1 libvk_swiftshader.so vk_swiftshader_icd.json; do
  copy "$folder/$name"
done

# What the linker loads at the start, and the modules of NSS, which the shell loads by name when it needs certificates.
modules=$(dpkg-query -L libnss3 | grep -E '/lib(softokn3|freebl3|freeblpriv3|nssckbi)\.so$')
[ "$(echo "$modules" | wc -l)" -eq 4 ]
for binary in "$folder"/chromium-headless-shell "$folder"/*.so "$folder"/libvulkan.so.1 $modules; do
  case $binary in *VkLayer* | *VkICD*) continue ;; esac
  ldd "$binary"
done >"$packages.ldd"
if grep 'not found' "$packages.ldd"; then exit 1; fi
for library in $modules $(awk '$2 == "=>" { print $3 }' "$packages.ldd" | sort -u); do copy "$library"; done

# A page without fonts of its own: Latin in the widths of Arial, Times and Courier; Chinese, Japanese and Korean; emoji;
# and of each other script the regular weight, of which Chromium makes bold. SignWriting, cuneiform and hieroglyphs are
# left out: pages seldom have them, and they take 7 MB, where all others take 11.
for font in /usr/share/fonts/truetype/liberation*/*.ttf \
  /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc \
  /usr/share/fonts/truetype/noto/NotoColorEmoji.ttf \
  /usr/share/fonts/truetype/noto/NotoSerifTibetan-Regular.ttf \
  /usr/share/fonts/truetype/noto/NotoSans*-Regular.ttf; do
  case $font in *SignWriting* | *Cuneiform* | *Hieroglyphs* | *SansDisplay*) continue ;; esac
  copy "$font"
done
copy /etc/fonts/fonts.conf
for file in /etc/fonts/conf.d/*.conf; do copy "$file"; done

# Their licences; and an entry for each, where scanners for vulnerable packages look for what was copied.
mkdir -p "$target/var/lib/dpkg/status.d"
for package in $(sort -u "$packages"); do
  install -D -m 644 "/usr/share/doc/$package/copyright" "$target/usr/share/doc/$package/copyright"
  dpkg-query -s "$package" >"$target/var/lib/dpkg/status.d/$package"
done
