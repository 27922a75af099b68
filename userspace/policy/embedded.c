/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/embedded.h"

#include "base/cleanup.h"

/* The paths are relative to the top of the source tree, where the compiler runs. */
#define EMBED(symbol, path)                                                                                            \
	__asm__(".pushsection .rodata, \"a\"\n"                                                                        \
		".globl bh_embedded_" #symbol "_start, bh_embedded_" #symbol "_end\n"                                  \
		".hidden bh_embedded_" #symbol "_start, bh_embedded_" #symbol "_end\n"                                 \
		"bh_embedded_" #symbol "_start: .incbin \"" path "\"\n"                                                \
		"bh_embedded_" #symbol "_end: .byte 0\n"                                                               \
		".popsection\n");                                                                                      \
	extern const char bh_embedded_##symbol##_start[], bh_embedded_##symbol##_end[]

EMBED(base, "rules/presets/base.yaml");
EMBED(fonts, "rules/presets/fonts.yaml");
EMBED(locale, "rules/presets/locale.yaml");
EMBED(tls_roots, "rules/presets/tls-roots.yaml");
EMBED(floor_net, "rules/floor-net.yaml");
EMBED(floor_files, "rules/floor-files.yaml");
EMBED(guards, "rules/guards.yaml");
EMBED(interpreters, "rules/interpreters.yaml");
EMBED(suffixes, "rules/public-suffixes.txt");

const struct bh_embedded bh_embedded_files[] = {
	{ "rules/presets/base.yaml", "preset", bh_embedded_base_start, bh_embedded_base_end },
	{ "rules/presets/fonts.yaml", "preset", bh_embedded_fonts_start, bh_embedded_fonts_end },
	{ "rules/presets/locale.yaml", "preset", bh_embedded_locale_start, bh_embedded_locale_end },
	{ "rules/presets/tls-roots.yaml", "preset", bh_embedded_tls_roots_start, bh_embedded_tls_roots_end },
	{ "rules/floor-net.yaml", "floor-net", bh_embedded_floor_net_start, bh_embedded_floor_net_end },
	{ "rules/floor-files.yaml", "floor-files", bh_embedded_floor_files_start, bh_embedded_floor_files_end },
	{ "rules/guards.yaml", "guards", bh_embedded_guards_start, bh_embedded_guards_end },
	{ "rules/interpreters.yaml", "interpreters", bh_embedded_interpreters_start, bh_embedded_interpreters_end },
};

const size_t bh_embedded_count = BH_COUNT_OF(bh_embedded_files);
