#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""traces.py DIR: writes the traces beside this file into DIR. They are made up, after what such work looks like in the
kernel's records; nothing in them was recorded. Times and numbers are fixed, so the files are the same each time."""
import json
import os
import random
import sys

BEGIN = 1795953600 * 10**9  # 2026-11-29T12:00:00Z
SECOND = 10**9


def stamp(ns):
    days, rest = divmod(ns, 86400 * SECOND)
    assert days == 20786, "one day is enough"
    seconds, part = divmod(rest, SECOND)
    return "2026-11-29T%02d:%02d:%02d.%09dZ" % (seconds // 3600, seconds // 60 % 60, seconds % 60, part)


class Trace:
    """Lines of one sandbox; each call adds one at the time that is now."""

    def __init__(self, sandbox):
        self.lines = []
        self.sandbox = sandbox
        self.now = BEGIN
        self.pid = 300
        self.random = random.Random(sandbox)
        self.total = {}

    def wait(self, seconds):
        self.now += int(seconds * SECOND)

    def add(self, kind, **more):
        line = {"schema": "bulkhead.event/1", "id": "trace-%d" % (len(self.lines) + 1), "time": stamp(self.now), "kind": kind}
        line.update((key, value) for key, value in more.items() if value is not None)
        line["sandbox"] = {"id": self.sandbox}
        self.lines.append(json.dumps(line, separators=(",", ":")))
        self.wait(0.001)

    def process(self, pid, parent, exe):
        return {"pid": pid, "tid": pid, "ppid": parent, "uid": 1000, "start_ns": pid * 1000, "comm": exe.split("/")[-1][:15], "exe": exe}

    def act(self, kind, who, reason=None, **more):
        pid, parent, exe, tool = who
        verdict = "deny" if reason else "allow"
        self.add(kind, verdict=verdict, reason=reason, tool=tool, process=self.process(pid, parent, exe), **more)

    def start(self, parent, exe, tool, same=None):
        """A program; a new process unless it replaces one."""
        self.pid += 0 if same else 1
        who = (same[0] if same else self.pid, same[1] if same else parent, exe, tool)
        self.act("exec", who, file={"path": exe, "access": "exec"})
        return who

    def end(self, who):
        self.act("exit", who)

    def write(self, who, path, reason=None, kind="file_write"):
        self.act(kind, who, reason, file={"path": path, "access": "write"})

    def read(self, who, path, reason=None):
        self.act("file_open", who, reason, file={"path": path, "access": "read"})

    def connect(self, who, address, port, reason=None, kind="connect", protocol="tcp"):
        family = "inet6" if ":" in address else "inet"
        self.act(kind, who, reason, network={"family": family, "protocol": protocol, "address": address, "port": port})

    def name(self, who, name, refused=False):
        self.add("dns", verdict="deny" if refused else "allow", tool=who[3], network={"name": name})

    def flow(self, who, address, port, count):
        family = "inet6" if ":" in address else "inet"
        self.add("flow", tool=who[3], network={"family": family, "protocol": "tcp", "address": address, "port": port, "bytes": count})

    def sample(self, memory, tasks, **grown):
        """Totals grow by what is given."""
        for key, value in grown.items():
            self.total[key] = self.total.get(key, 0) + value
        self.add("sample", sample={"memory_bytes": memory, "tasks": tasks, **self.total})


def build():
    t = Trace("build")
    make = t.start(1, "/usr/bin/make", "build")
    for unit in range(40):
        if unit % 4 == 0:
            t.sample(400 << 20, 24, cpu_us=1900000, forks=90, io_write_bytes=12 << 20, io_read_bytes=9 << 20, tasks_refused=0, bytes_out=0)
        shell = t.start(make[0], "/usr/bin/dash", "build")
        gcc = t.start(shell[0], "/usr/bin/gcc", "build", same=shell)
        cc1 = t.start(gcc[0], "/usr/lib/gcc/x86_64-linux-gnu/12/cc1", "build")
        t.write(cc1, "/tmp/cc%06x.s" % t.random.randrange(1 << 24))
        t.end(cc1)
        assembler = t.start(gcc[0], "/usr/bin/x86_64-linux-gnu-as", "build")
        t.write(assembler, "/work/build/unit%d.o" % unit)
        t.end(assembler)
        if unit % 16 == 3:
            t.read(gcc, "/usr/local/include/none.h", "F2")
        t.end(gcc)
        t.wait(0.4)
    linker = t.start(make[0], "/usr/bin/x86_64-linux-gnu-ld.bfd", "build")
    t.write(linker, "/work/build/program")
    t.end(linker)
    t.sample(200 << 20, 2, cpu_us=900000, forks=5, io_write_bytes=3 << 20)
    t.end(make)
    return t


def package_install():
    t = Trace("package-install")
    npm = t.start(1, "/usr/bin/node", "npm")
    t.read(npm, "/home/agent/.npmrc", "F1")
    t.name(npm, "registry.npmjs.example")
    for package in range(50):
        if package % 3 == 0:
            t.connect(npm, "104.16.%d.34" % (1 + package % 9), 443)
        t.write(npm, "/work/node_modules/p%d/package.json" % package)
        t.write(npm, "/work/node_modules/p%d/index.js" % package)
        t.write(npm, "/home/agent/.npm/_cacache/tmp/%08x" % t.random.randrange(1 << 32), kind="file_rename")
        t.wait(t.random.uniform(0.05, 0.6))
        if package % 12 == 5:  # an install script: a shell, child of what connected
            script = t.start(npm[0], "/usr/bin/dash", "npm")
            node = t.start(script[0], "/usr/bin/node", "npm")
            t.write(node, "/work/node_modules/p%d/build/config.json" % package)
            t.end(node)
            t.end(script)
        if package % 10 == 0:
            t.flow(npm, "104.16.1.34", 443, t.random.randrange(2000, 9000))
            t.sample(300 << 20, 14, cpu_us=4000000, forks=6, io_write_bytes=30 << 20, bytes_out=9000)
    pip = t.start(1, "/usr/bin/python3.11", "pip")
    t.name(pip, "pypi.example")
    t.name(pip, "files.pythonhosted.example")
    for wheel in range(8):
        t.connect(pip, "151.101.0.223", 443)
        t.write(pip, "/work/.venv/lib/python3.11/site-packages/m%d.py" % wheel)
        t.wait(t.random.uniform(0.2, 2))
    return t


def test_suite():
    t = Trace("test-suite")
    runner = t.start(1, "/usr/bin/python3.11", "python")
    for case in range(70):
        child = t.start(runner[0], "/usr/bin/python3.11", "python")
        t.write(child, "/tmp/pytest-of-agent/pytest-0/test%d/out.txt" % case)
        if case % 2:  # a server of its own, on any port
            t.connect(child, "127.0.0.1", 32768 + 131 * case)
        if case % 9 == 4:  # a test of what must not be possible
            t.write(child, "/etc/hosts", "F2")
            t.connect(child, "192.0.2.%d" % (case % 3 + 1), 80, "N2")
        if case % 20 == 7:
            shell = t.start(child[0], "/usr/bin/dash", "python")
            t.end(shell)
        t.end(child)
        t.wait(t.random.uniform(0.1, 1.2))
        if case % 10 == 0:
            t.sample(500 << 20, 6, cpu_us=5200000, forks=21, io_write_bytes=2 << 20, bytes_out=0)
    return t


def git_work():
    t = Trace("git-work")
    agent = t.start(1, "/usr/bin/bash", "agent")
    clone = t.start(agent[0], "/usr/bin/git", "git")
    for hook in ("applypatch-msg", "commit-msg", "pre-commit", "pre-push", "update"):
        t.write(clone, "/work/repo/.git/hooks/%s.sample" % hook)
    t.write(clone, "/work/repo/.git/config", "F1")
    t.end(clone)
    for round_ in range(12):
        for words in ("status", "diff", "add", "commit"):
            git = t.start(agent[0], "/usr/bin/git", "git")
            t.write(git, "/work/repo/.git/index.lock")
            t.write(git, "/work/repo/.git/index", kind="file_rename")
            if words == "commit":
                t.write(git, "/work/repo/.git/objects/%02x/%038x" % (round_, t.random.getrandbits(150)))
                t.write(git, "/work/repo/.git/logs/HEAD")
            t.end(git)
            t.wait(t.random.uniform(0.5, 9))
        if round_ % 4 == 3:
            remote = t.start(agent[0], "/usr/bin/git", "git-remote")
            helper = t.start(remote[0], "/usr/lib/git-core/git-remote-https", "git-remote")
            t.name(helper, "github.example")
            t.connect(helper, "140.82.121.4", 443)
            t.flow(helper, "140.82.121.4", 443, 48000)
            t.end(helper)
            t.end(remote)
    t.write(agent, "/home/agent/.bash_history")
    return t


def web_server():
    t = Trace("web-server")
    master = t.start(1, "/usr/sbin/nginx", "nginx")
    t.write(master, "/var/log/nginx/access.log")
    t.write(master, "/var/log/nginx/error.log")
    t.write(master, "/run/nginx.pid")
    for tick in range(60):  # ten minutes; the upstream's health every ten seconds
        t.connect(master, "10.0.0.5", 8080)
        for _ in range(t.random.randrange(3)):
            t.connect(master, "10.0.0.%d" % t.random.choice((5, 6, 7)), 8080)
            t.write(master, "/var/cache/nginx/proxy_temp/%d" % t.random.randrange(10**6))
        if tick % 6 == 0:
            t.name(master, "backend.internal.example")
            t.sample(120 << 20, 5, cpu_us=2500000, forks=0, io_write_bytes=900000, io_read_bytes=100000, bytes_out=31 << 20)
            t.flow(master, "10.0.0.5", 8080, 400000)
        if tick == 30:  # logs are rotated
            t.write(master, "/var/log/nginx/access.log.1", kind="file_rename")
            t.write(master, "/var/log/nginx/access.log")
        t.now = BEGIN + (tick + 1) * 10 * SECOND
    return t


def browser():
    t = Trace("browser")
    main = t.start(1, "/usr/lib/chromium/chromium", "chromium")
    for _ in range(6):
        t.start(main[0], "/usr/lib/chromium/chromium", "chromium")
    hosts = ["www", "static", "cdn", "img1", "img2", "fonts", "api", "login", "metrics", "ads"]
    for page in range(14):
        for host in t.random.sample(hosts, 7):
            t.name(main, "%s.site%d.example" % (host, page))
            t.connect(main, "%d.%d.%d.%d" % (20 + t.random.randrange(180), t.random.randrange(256), t.random.randrange(256), 1 + t.random.randrange(254)), 443)
        t.name(main, "%032x.safeframe.example" % t.random.getrandbits(128))
        t.name(main, "d%012x.cloudfront.example" % t.random.getrandbits(48))
        t.write(main, "/home/agent/.cache/chromium/Default/Cache/%08x_0" % t.random.getrandbits(32))
        t.write(main, "/dev/shm/.org.chromium.Chromium.%06x" % t.random.getrandbits(24))
        t.act("mmap_exec", main)  # its compiler: the policy says jit
        t.flow(main, "203.0.113.%d" % page, 443, t.random.randrange(4000, 90000))
        t.sample(900 << 20, 140, cpu_us=6000000, forks=4, io_write_bytes=8 << 20, bytes_out=90000)
        t.wait(t.random.uniform(2, 25))
    t.connect(main, "224.0.0.251", 5353, "N2", kind="sendmsg", protocol="udp")
    return t


def stolen_keys():
    t = Trace("stolen-keys")
    agent = t.start(1, "/usr/bin/node", "agent")
    python = t.start(agent[0], "/usr/bin/python3.11", "python")
    for path, reason in (("/home/agent/.ssh/id_ed25519", "F1"), ("/home/agent/.aws/credentials", "F1"), ("/etc/shadow", "F2"),
                         ("/run/secrets/kubernetes.io/serviceaccount/token", "F1"), ("/srv/backup/passwords.txt", None)):
        t.read(python, path, reason)
        t.wait(0.3)
    t.connect(python, "169.254.169.254", 80, "N0")
    for part in range(30):
        t.name(python, "%048x.x.exfil.example" % t.random.getrandbits(192), refused=True)
    for part in range(5):
        t.flow(python, "203.0.113.77", 443, 60 << 20)
        t.wait(20)
    t.write(python, "/home/agent/.bash_history", "F1")
    t.write(python, "/var/log/auth.log", "F2")
    return t


def escape():
    t = Trace("escape")
    agent = t.start(1, "/usr/bin/node", "agent")
    t.act("namespace", agent, "C2")
    t.act("cgroup_move", agent, "C2")
    t.act("ptrace", agent, "C2")
    t.act("bpf", agent, "C0")
    t.act("terminal", agent, "C2")
    t.write(agent, "/sys/fs/cgroup/x/release_agent", "F0")
    t.write(agent, "/proc/sys/kernel/core_pattern", "F0")
    t.act("unix_connect", agent, "U0", network={"family": "unix", "address": "/run/docker.sock"})
    t.read(agent, "/run/bulkhead/control.sock", "F0")
    t.write(agent, "/tmp/.x")
    t.act("exec", agent, "X1", file={"path": "/tmp/.x", "access": "exec"})
    t.act("exec", agent, "P0", file={"path": "/memfd:x (deleted)", "access": "exec"})
    t.act("mmap_exec", agent, "X11")
    t.act("exec", agent, "X1", file={"path": "/usr/bin/bash", "access": "exec"})
    for path in ("/etc/cron.d/x", "/home/agent/.bashrc", "/work/repo/.git/hooks/pre-commit", "/etc/systemd/system/x.service",
                 "/home/agent/.ssh/authorized_keys", "/etc/ld.so.preload"):
        t.write(agent, path, "F2")
    t.connect(agent, "203.0.113.9", 4444)
    t.start(1, "/usr/bin/bash", "agent", same=agent)
    return t


def noise():
    t = Trace("noise")
    agent = t.start(1, "/usr/bin/python3.11", "python")
    for port in range(1, 25):
        t.connect(agent, "10.0.0.1", port, "N2")
    for host in range(1, 25):
        t.connect(agent, "10.0.9.%d" % host, 22, "N2")
    for beat in range(10):
        t.connect(agent, "198.51.100.7", 443)
        t.wait(45)
    t.sample(50 << 20, 5, cpu_us=0, forks=0, tasks_refused=0, bytes_out=0, io_write_bytes=0)
    for _ in range(11):
        t.wait(60)
        t.sample(50 << 20, 5, cpu_us=59000000, bytes_out=4000)
    for _ in range(25):
        t.read(agent, "/home/other/x", "F2")
    for _ in range(50):
        t.read(agent, "/home/other/y", "F2")
    t.sample(90 << 20, 60, forks=40)
    t.wait(1)
    t.sample(110 << 20, 64, forks=3000, tasks_refused=900, memory_stall_us=700000)
    t.wait(1)
    t.sample(120 << 20, 64, forks=3000, tasks_refused=900, memory_stall_us=700000)
    return t


def main():
    for make in (build, package_install, test_suite, git_work, web_server, browser, stolen_keys, escape, noise):
        trace = make()
        with open(os.path.join(sys.argv[1], trace.sandbox + ".jsonl"), "w", encoding="ascii") as out:
            out.write("\n".join(trace.lines) + "\n")


main()
