# SPDX-License-Identifier: Apache-2.0
"""What the tests in the virtual machine share: runs of lantern, and the list of tests with its last line."""
import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

LANTERN = os.environ['LANTERN']
PEER = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'peer.py')]
PEER_ADDRESS = 'F0:F1:F2:F3:F4:F5/R'
HUB = '127.0.0.1:8099'


def run(*arguments, before=(), status=0, limit=100, give=None):
    done = subprocess.run([*before, LANTERN, *arguments], capture_output=True, text=True, timeout=limit,
                          input=give, stdin=subprocess.DEVNULL if give is None else None)
    assert status in (done.returncode, None), f'{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}'
    return done.stdout + done.stderr


def events(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith('{')]


class Program:
    """A program that runs beside the tests; its lines come as they are printed."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put('')

    def until(self, words, limit=60):
        """The first line with these words."""
        end, seen = time.monotonic() + limit, []
        while True:
            try:
                line = self.lines.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                line = ''
            assert line, f'{words!r} did not come: {seen[-5:]}'
            seen.append(line)
            if words in line:
                return line


@contextlib.contextmanager
def beside(*command, ready):
    """Runs a program until the block ends."""
    program = Program(*command)
    try:
        program.until(ready)
        yield program
    finally:
        program.process.send_signal(signal.SIGINT)
        try:
            program.process.wait(30)
        except subprocess.TimeoutExpired:
            program.process.kill()
            raise


def device(*arguments):
    """One of our devices, on the other adapter."""
    return beside(LANTERN, 'device', 'run', *arguments, '--radio', 'hci:1', '--json', ready='device_advertising')


def bumble():
    """A peripheral of Bumble on the adapters' air."""
    return beside(*PEER, ready='advertising')


@contextlib.contextmanager
def hub(*arguments):
    """A hub with a database of its own."""
    with tempfile.TemporaryDirectory() as folder, \
            beside(LANTERN, 'hub', '--database', f'{folder}/hub.sqlite', '--listen', HUB, *arguments, ready=HUB):
        yield


def ask_hub(path):
    with urllib.request.urlopen(f'http://{HUB}/api/v1{path}', timeout=10) as answer:
        return json.load(answer)


def until_hub_is(state, limit=60):
    eventually(lambda: ask_hub('/hub')['radio']['state'] == state, f'the radio is not {state}', limit)


def radios():
    return {event['radio']: event for event in events(run('radios', '--json'))}


def eventually(condition, what, limit=60):
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.2)


def kill(name, number=signal.SIGTERM):
    for one in subprocess.run(['pidof', name], capture_output=True, text=True).stdout.split():
        os.kill(int(one), number)


def plug_in(adapters):
    subprocess.Popen(['btvirt', '-L', f'-l{adapters}', '-s'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def until_set_up(adapters):
    """Waits for the kernel to set its adapters up; the address is what it learns first.

    It tries that once, and on a busy machine btvirt does not answer in time: then they are plugged in anew.
    """
    def is_set_up(number):
        said = subprocess.run(['hciconfig', f'hci{number}'], capture_output=True, text=True).stdout
        return 'BD Address: ' in said and '00:00:00:00:00:00  ' not in said
    for _ in range(5):
        try:
            return eventually(lambda: all(map(is_set_up, range(adapters))), 'an adapter is not set up', 20)
        except AssertionError as error:
            print(error, flush=True)
        kill('btvirt')
        eventually(lambda: not os.listdir('/sys/class/bluetooth'), 'the adapters are still there')
        plug_in(adapters)
    raise AssertionError('the kernel does not set its adapters up')


def system(*command):
    subprocess.run(command, check=True)


def main(tests, adapters=2):
    """Tries each test, though one before it has failed, or those that the command line names."""
    until_set_up(adapters)
    chosen = [test for test in tests if not sys.argv[1:] or test.__name__ in sys.argv[1:]]
    failures = 0
    for test in chosen:
        start = time.monotonic()
        try:
            test()
            print(f'PASS {test.__name__} ({time.monotonic() - start:.0f} s)', flush=True)
        except Exception as error:
            failures += 1
            print('FAILED:', test.__name__ + ':', type(error).__name__, error, flush=True)
    print(f'{len(chosen) - failures} passed, {failures} failed')
    sys.exit(1 if failures else 0)
