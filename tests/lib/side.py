# SPDX-License-Identifier: GPL-2.0-only
"""side.py TRICK [ARGUMENTS]: one trick by a raw call. Status 0 it worked, 1 it was refused with EPERM, 2 anything else."""
import ctypes
import errno
import fcntl
import os
import resource
import socket
import struct
import sys

libc = ctypes.CDLL(None, use_errno=True)


def call(function, *arguments):
    result = function(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def syscall(number, *arguments):
    return call(libc.syscall, number, *arguments)


def receive():
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.setblocking(False)
    sock.recv(16)


def abstract(name):
    socket.socket(socket.AF_UNIX).bind("\0" + name)


def listen():
    socket.socket(socket.AF_INET).listen()


def bind(kind, port):
    sock = socket.socket(socket.AF_INET, getattr(socket, kind))
    sock.bind(("127.0.0.1", int(port)))


def source_route():
    sock = socket.socket(socket.AF_INET6)
    sock.setsockopt(socket.IPPROTO_IPV6, 57, bytes([0, 2, 2, 1]) + bytes(20))


def control(path, request):
    fcntl.ioctl(os.open(path, os.O_RDONLY), int(request, 16), bytes(128))


def lease(path):
    fcntl.fcntl(os.open(path, os.O_RDONLY), 1024, fcntl.F_RDLCK)


def own_signals(pid):
    fcntl.fcntl(0 if pid == "self" else 0, fcntl.F_SETOWN, os.getpid() if pid == "self" else int(pid))


def limit(pid):
    resource.prlimit(int(pid), resource.RLIMIT_NOFILE, (64, 64))


def priority(pid):
    os.setpriority(os.PRIO_PROCESS, int(pid), 5)


def shared_memory(key):
    call(libc.shmget, int(key, 16), 4096, 0)


def key():
    syscall(248, b"user", b"name", b"value", 5, -3)


def bpf():
    path = ctypes.create_string_buffer(b"/sys/fs/bpf/bulkhead")
    syscall(321, 7, struct.pack("Q", ctypes.addressof(path)) + bytes(120), 128)


def attribute(path, name):
    os.setxattr(path, name, b"value")


def watch(path):
    call(libc.inotify_add_watch, call(libc.inotify_init1, 0), path.encode(), 0x100)


def seccomp_then(path):
    # one instruction: allow everything
    program = struct.pack("HBBI", 6, 0, 0, 0x7FFF0000)
    buffer = ctypes.create_string_buffer(program)
    line = struct.pack("HxxxxxxQ", 1, ctypes.addressof(buffer))
    call(libc.prctl, 38, 1, 0, 0, 0)
    syscall(317, 1, 0, line)
    os.execv(path, [path, "a", "b"])


def tell(fd):
    fcntl.ioctl(int(fd), 0x5412, b"x")


trick = globals()[sys.argv[1]]
try:
    trick(*sys.argv[2:])
except BlockingIOError:
    sys.exit("nothing was there, but it was asked")
except OSError as error:
    print(errno.errorcode.get(error.errno, error.errno))
    sys.exit(1 if error.errno == errno.EPERM else 2)
