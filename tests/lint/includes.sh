#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Who may include what: the flow between modules is one way. Paths in #include "..." are from the top or from userspace/.
. "$(dirname "$0")/lib.bash"

# The first words of "module/x.h" that each module may include beside its own.
declare -A may=(
	[base]="bpf/abi.h"
	[policy]="base bpf/abi.h"
	[compile]="base policy bpf/abi.h bpf/lib"
	[verify]="base policy compile bpf/abi.h bpf/lib"
	[kernel]="base compile bpf/abi.h gen"
	[event]="base bpf/abi.h"
	[detect]="base event bpf/abi.h"
	[drill]=""
	[respond]="base kernel event bpf/abi.h"
	[daemon]="base policy compile verify kernel event detect respond exporters bpf/abi.h bpf/lib"
	[cli]="base policy compile verify kernel event detect respond daemon drill bpf/abi.h bpf/lib"
	[exporters]="base event exporters"
	[bpf]="bpf"
	[bpf/lib]="bpf/lib bpf/abi.h bpf/maps.bpf.h"
)

# quoted PATTERN...: "file included" for each #include "..." in files under these folders
quoted() {
	# shellcheck disable=SC2016 # awk's own variables
	c_files | grep -E "^($1)/" | tr '\n' '\0' |
		xargs -0r awk 'match($0, /^[ \t]*#[ \t]*include[ \t]*"[^"]*"/) { split($0, part, "\""); print FILENAME, part[2] }'
}

# wrong_includes FOLDER MODULE
wrong_includes() {
	local file included word fits
	while read -r file included; do
		fits=
		case $included in
		*.def) continue ;;
		*.skel.h) included=gen/$included ;;
		esac
		for word in ${may[$2]} "$2"; do
			[[ "$included" != "$word" && "$included" != "$word"/* ]] || fits=1
		done
		[[ "$included" == */* || "$1" == bpf* ]] || continue # a neighbour in the same folder
		[ -n "$fits" ] || [[ "$1" == bpf* && "$included" != */* ]] || echo "$file may not include $included"
	done < <(quoted "$1")
}

for module in base policy compile verify kernel event detect respond drill daemon cli; do
	none "userspace/$module includes only what it may" "$(wrong_includes "userspace/$module" "$module")"
done
none "exporters include only what they may" "$(wrong_includes exporters exporters)"
none "kernel programs include only bpf/" "$(wrong_includes 'bpf/hooks' bpf)"
none "bpf/lib includes only bpf/lib, the ABI and the maps" "$(wrong_includes bpf/lib bpf/lib)"
none "only userspace/kernel knows libbpf and the skeleton" "$(c_files | grep -E '^(userspace|exporters)/' |
	grep -v '^userspace/kernel/' | tr '\n' '\0' | xargs -0r grep -nE '#[ \t]*include[ \t]*[<"](bpf/(libbpf|bpf|btf)|.*skel)\.h')"
