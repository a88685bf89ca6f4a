# SPDX-License-Identifier: Apache-2.0
"""What the tests on our virtual air share: runs of lantern, the air itself, and the list of tests with its last line."""
import asyncio
import contextlib
import json
import os
import sys
import time

LANTERN = os.environ['LANTERN']
PORT = 9000


async def lantern(*arguments, status=0, limit=120):
    """Runs the binary; gives its events and what it says on its standard error."""
    process = await asyncio.create_subprocess_exec(
        LANTERN, *arguments, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE)
    try:
        output, errors = await asyncio.wait_for(process.communicate(), limit)
    except asyncio.TimeoutError:
        process.kill()
        raise AssertionError(f'{arguments} did not end') from None
    text = output.decode()
    assert status in (None, process.returncode), f'{arguments}: {process.returncode} {text[-800:]} {errors.decode()[-800:]}'
    return [json.loads(line) for line in text.splitlines() if line.startswith('{')], errors.decode()


async def said_by(*command):
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE)
    return (await process.communicate())[0].decode()


@contextlib.asynccontextmanager
async def air(*arguments):
    """`lantern radio serve`, until the block ends."""
    process = await asyncio.create_subprocess_exec(
        LANTERN, 'radio', 'serve', '--port', str(PORT), *arguments, '--json',
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE)
    while b'"radio_ready"' not in await process.stdout.readline():
        assert process.returncode is None, 'the air has ended'
    try:
        yield
    finally:
        process.terminate()
        await process.wait()


async def until_powered():
    """Waits for bluetoothd to have an adapter that is on."""
    for _ in range(60):
        if 'Powered: yes' in await said_by('bluetoothctl', 'show'):
            return
        await asyncio.sleep(1)
    raise AssertionError('bluetoothd has no adapter that is powered')


async def try_all(tests, use=lambda test: test(), limit=300):
    """Tries each test, though one before it has failed, or those that the command line names; gives how many failed."""
    chosen = [(test, words) for test, words in tests if not sys.argv[1:] or test.__name__ in sys.argv[1:]]
    failures = 0
    for test, words in chosen:
        began = time.monotonic()
        try:
            await asyncio.wait_for(use(test), limit)
            print(f'PASS {words} ({time.monotonic() - began:.0f} s)', flush=True)
        except Exception as error:
            failures += 1
            print('FAILED:', words + ':', type(error).__name__, error, flush=True)
    print(f'{len(chosen) - failures} passed, {failures} failed')
    return failures
