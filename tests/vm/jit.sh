#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# Code that a tool makes in memory: only with `jit: true`; and usual programs make none.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

ways="anonymous written heap stack written-file at-once later patched plain"
library=$bh/ram/library # not on the guest's overlay, where mprotect knows no path
sandbox_prepare
mkdir -p "$bh/python"
cp /usr/lib/x86_64-linux-gnu/libc.so.6 "$library"
cp build/tests/vm/programs/jit "$bh/bin/jit"
cp build/tests/vm/programs/jit "$bh/bin/maker"
cat >"$bh/python/usual.py" <<'END'
import ctypes, json, re, ssl, sqlite3, subprocess, sys, threading, unittest, zlib
class Case(unittest.TestCase):
    def test_it(self):
        self.assertEqual(json.loads('{"a": 1}')["a"], len(re.findall("a+", "baab")))
thread = threading.Thread(target=lambda: subprocess.run(["/usr/bin/true"], check=True))
thread.start()
thread.join()
libc = ctypes.CDLL(None)
assert libc.abs(-3) == 3
result = unittest.TextTestRunner(stream=open("/dev/null", "w")).run(unittest.defaultTestLoader.loadTestsFromTestCase(Case))
print("usual" if result.wasSuccessful() else "failed")
END
cat >"$bh/python/callback.py" <<'END'
import ctypes
compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))(lambda a, b: a[0] - b[0])
numbers = (ctypes.c_int * 3)(3, 1, 2)
ctypes.CDLL(None).qsort(numbers, 3, 4, compare)
print("called", list(numbers))
END

session_start jit <<END
for way in $ways; do
	file=
	case \$way in written-file | at-once | later | patched | plain) file=$library ;; esac
	attempt none-\$way /tmp/bh/bin/jit \${way%-file} \$file
	attempt made-\$way /tmp/bh/bin/maker \${way%-file} \$file
done
attempt python python3 -B /tmp/bh/python/usual.py
attempt python-callback python3 -B /tmp/bh/python/callback.py
attempt git git --version
cd /tmp/bh/work
attempt git-init git init -q tree
attempt git-commit git -C tree -c user.name=a -c user.email=a@b commit -q --allow-empty -m one
attempt git-grep git -C tree log --format=%s --grep 'o.e'
attempt git-pcre git -C tree log --format=%s --grep 'o.e' --perl-regexp
attempt curl curl -s file:///tmp/bh/work/file
attempt grep grep -P 't(e)x' /tmp/bh/work/file
attempt perl perl -e 'print "text" =~ /e(x)/ ? "match" : "no"'
attempt awk awk '/te.t/ { print "match" }' /tmp/bh/work/file
attempt sed sed -nE 's/t(e)x/\1/p' /tmp/bh/work/file
attempt pipe bash -c 'sort </tmp/bh/work/file'
END
session_end

is "the session ends by itself" 0 "$session_status"
for way in $ways; do
	worked "with jit: true a program may run code: $way" "made-$way"
	[ "$way" = plain ] || refused "without it none runs: $way" "none-$way"
done
worked "a file's code as it is needs no jit" none-plain
event "a refusal is an event" kind=mmap_exec reason=X11 tool=shell process.exe=$bh/bin/jit
events_with reason=X11 tool=maker
is "the tool with jit is not refused" 0 "${#found[@]}"
result_is "python with its usual modules needs no jit" python 0 usual
result_is "git needs none" git-commit 0 ''
result_is "nor does git searching" git-grep 0 one
result_is "curl needs none" curl 0 text
for program in git git-init grep perl awk sed; do
	worked "$program needs none" $program
done
events_with reason=X11 tool=curl
is "curl does not even try" 0 "${#found[@]}"
# What does: each makes code for one purpose, and is told no.
result_is "functions of python that C calls (libffi closures) need jit" python-callback 1 MemoryError
event "that is an event" kind=mmap_exec reason=X11 tool=python
result_is "so does git with Perl's expressions" git-pcre 128 "Couldn't JIT"
event "that, too" kind=mmap_exec reason=X11 tool=git
sandbox_clean "nothing is left of the run"
