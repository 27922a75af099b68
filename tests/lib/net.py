# SPDX-License-Identifier: GPL-2.0-only
"""net.py TRICK [ARGUMENTS]: one thing that a socket does. Status 0 it worked, 1 it was refused with EPERM, 2 anything else."""
import errno
import os
import socket
import struct
import sys
import threading


def stream():
    return socket.socket(socket.AF_INET, socket.SOCK_STREAM)


def datagram():
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


def ask(address, port):
    """A datagram there, and its answer."""
    sock = datagram()
    sock.settimeout(10)
    sock.sendto(b"question", (address, int(port)))
    if sock.recv(64) != b"question":
        raise ValueError("another answer")


def ask_connected(address, port):
    sock = datagram()
    sock.settimeout(10)
    sock.connect((address, int(port)))
    sock.send(b"question")
    sock.recv(64)


def listen(port):
    sock = stream()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind(("0.0.0.0", int(port)))
    sock.listen()


def listen_unbound():
    stream().listen()


def bind_datagram(port):
    datagram().bind(("0.0.0.0", int(port)))


def serve(port, word):
    """Says the word, then accepts one connection and answers it."""
    sock = stream()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind(("0.0.0.0", int(port)))
    sock.listen()
    print(word, flush=True)
    peer = sock.accept()[0]
    peer.sendall(peer.recv(64))
    peer.close()


def serve_datagrams(port, word):
    """Says the word, waits for one datagram, answers it, and tries to send to somebody else from the same port."""
    sock = datagram()
    sock.bind(("0.0.0.0", int(port)))
    print(word, flush=True)
    data, peer = sock.recvfrom(64)
    sock.sendto(data, peer)
    sock.sendto(data, (peer[0], 7099))


def talk(address, port):
    """From elsewhere: a connection, a word, its echo."""
    sock = stream()
    sock.settimeout(10)
    sock.connect((address, int(port)))
    sock.sendall(b"hello")
    if sock.recv(64) != b"hello":
        raise ValueError("another answer")


def within(port):
    """A process of the sandbox serves, another talks to it."""
    ready = threading.Event()

    def server():
        sock = stream()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(("127.0.0.1", int(port)))
        sock.listen()
        ready.set()
        peer = sock.accept()[0]
        peer.sendall(peer.recv(64))

    threading.Thread(target=server, daemon=True).start()
    ready.wait()
    talk("127.0.0.1", port)


def inherited(fd):
    os.write(int(fd), b"x")


def inherited_receive(fd):
    socket.socket(fileno=int(fd)).recv(1, socket.MSG_DONTWAIT)


def echo(address):
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP)
    sock.settimeout(10)
    sock.sendto(struct.pack("!BBHHH", 8, 0, 0, 1, 1) + b"x" * 8, (address, 0))
    sock.recv(64)


def echo_server(port):
    """Outside: answers datagrams for ever."""
    sock = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    sock.bind(("::", int(port)))
    print("ready", flush=True)
    while True:
        data, peer = sock.recvfrom(64)
        sock.sendto(data, peer)


try:
    globals()[sys.argv[1]](*sys.argv[2:])
except OSError as error:
    name = errno.errorcode.get(error.errno, str(error))
    print(f"{'refused' if error.errno == errno.EPERM else 'error'}: {sys.argv[1]}: {name}")
    sys.exit(1 if error.errno == errno.EPERM else 2)
except ValueError as error:
    print(error)
    sys.exit(2)
