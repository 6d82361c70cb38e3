"""The screen of the program in a terminal of 80 x 24 characters."""

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
import unittest

import flitscope


class Screen(unittest.TestCase):
    def test_a_running_network_is_drawn_and_q_ends_it(self):
        program, begun, drawn = flitscope.find_program(), time.monotonic(), ""
        child, terminal = pty.fork()
        if child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            os.execve(program, [program, "mesh-8x8"], {**os.environ, "TERM": "xterm-256color"})
        try:
            while "cycle" not in drawn:
                self.assertTrue(select.select([terminal], [], [], 60)[0], drawn)
                drawn += os.read(terminal, 65536).decode(errors="replace")
            print(f"a screen: {time.monotonic() - begun:.1f} s")
            os.write(terminal, b"q")
            # Linux ends a terminal that nobody has open with an error.
            with contextlib.suppress(OSError):
                while os.read(terminal, 65536):
                    pass
        except BaseException:
            os.kill(child, signal.SIGKILL)
            raise
        finally:
            os.close(terminal)
            status = os.waitpid(child, 0)[1]
        self.assertEqual(status, 0)


if __name__ == "__main__":
    unittest.main()
