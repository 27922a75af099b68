# SPDX-License-Identifier: GPL-2.0-only
"""exhaust.py WHAT [ARGUMENTS]: uses up one thing, and says how far it got and with which error."""
import ctypes
import errno
import fcntl
import os
import struct
import sys

DISK = "/tmp/bh/disk/"


def told(count, error):
    print(count, errno.errorcode.get(error, error))


def until(step):
    """Calls step(0), step(1) ... until one fails."""
    count = 0
    try:
        while count < 1000000:
            step(count)
            count += 1
    except OSError as failure:
        told(count, failure.errno)
        return
    told(count, 0)


def descriptors():
    until(lambda count: os.dup(0))


def processes():
    children = []

    def more(_):
        child = os.fork()
        if not child:
            os.close(gate[1])
            os.read(gate[0], 1)
            os._exit(0)
        children.append(child)

    gate = os.pipe()
    until(more)
    os.close(gate[1])
    for child in children:
        os.waitpid(child, 0)


def inodes():
    until(lambda count: os.close(os.open(f"{DISK}empty-{count}", os.O_CREAT | os.O_WRONLY)))


def disk():
    fd = os.open(DISK + "large", os.O_CREAT | os.O_WRONLY)
    block = bytes(4096)
    until(lambda count: os.write(fd, block))
    os.fsync(fd)


def leave_by_ioctl(path):
    fd = os.open(path, os.O_RDWR)
    attributes = bytearray(28)
    fcntl.ioctl(fd, 0x801C581F, attributes)
    struct.pack_into("I", attributes, 12, 0)
    fcntl.ioctl(fd, 0x401C5820, bytes(attributes))


def leave_by_path(path):
    libc = ctypes.CDLL(None, use_errno=True)
    attributes = ctypes.create_string_buffer(struct.pack("QIIII", 0, 0, 0, 0, 0))
    if libc.syscall(469, -100, path.encode(), attributes, 24, 0) < 0:
        raise OSError(ctypes.get_errno(), "file_setattr")


def denials(count):
    refused = 0
    for _ in range(int(count)):
        try:
            os.open("/tmp/bh/outside/secret", os.O_RDONLY)
        except PermissionError:
            refused += 1
    print(refused, "refused")


def memory():
    hoard = []
    while True:
        hoard.append(bytearray(b"x") * (1 << 20))


def limit():
    """The project quota of a directory, as root outside sees it: bytes it may hold, 0 none."""
    libc = ctypes.CDLL(None, use_errno=True)
    fd = os.open(DISK, os.O_RDONLY)
    attributes = bytearray(28)
    fcntl.ioctl(fd, 0x801C581F, attributes)
    project = struct.unpack_from("I", attributes, 12)[0]
    quota = ctypes.create_string_buffer(72)
    if libc.syscall(443, fd, 0x80000702, project, quota) < 0:
        raise OSError(ctypes.get_errno(), "quotactl_fd")
    print(struct.unpack_from("Q", quota.raw)[0] * 1024)


try:
    globals()[sys.argv[1]](*sys.argv[2:])
except OSError as failure:
    print(errno.errorcode.get(failure.errno, failure.errno))
    sys.exit(1 if failure.errno == errno.EPERM else 2)
