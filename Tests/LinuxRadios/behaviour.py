# SPDX-License-Identifier: Apache-2.0
"""The behaviours of Tests/RadioBehaviourTests over our host on the kernel's adapters: hci0 is tested, hci1 is the other."""
import os
import re
import subprocess
import sys

from machine import eventually, system, until_set_up


def main():
    until_set_up(2)
    system('systemctl', 'stop', 'bluetooth')
    for number in (0, 1):
        eventually(lambda: 'UP' not in subprocess.run(['hciconfig', f'hci{number}'], capture_output=True, text=True).stdout,
                   f'hci{number} is still up')
    done = subprocess.run(
        [os.environ['TESTS'], '--testing-library', 'swift-testing', '--filter', 'BehaviourTests/overRealRadios'],
        env={**os.environ, 'LANTERN_RADIO': 'hci:0', 'LANTERN_OTHER_RADIO': 'hci:1'}, capture_output=True, text=True)
    said = done.stdout + done.stderr
    if done.returncode != 0:
        print('\n'.join(line for line in said.splitlines() if 'started' not in line))
    cases = re.search(r'with (\d+) test cases', said)
    failed = len(set(re.findall(r'recorded an issue with 1 argument behaviour → (.*?) at [^ ]*\.swift', said)))
    if done.returncode != 0:
        failed = max(failed, 1)
    passed = int(cases[1]) - failed if cases else 0
    print(f'{passed} passed, {failed} failed')
    return failed or not passed


sys.exit(1 if main() else 0)
