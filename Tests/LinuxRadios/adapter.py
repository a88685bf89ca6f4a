# SPDX-License-Identifier: Apache-2.0
"""Who has the kernel's adapters, and what lantern says when they are not to be had.

Two virtual controllers of BlueZ's btvirt are hci0 and hci1, and bluetoothd has both. The tests follow each other: who has
the adapters changes.
"""
import pathlib
import subprocess

from machine import (LANTERN, bumble, device, eventually, events, hub, kill, main, plug_in, radios, run, system, until_hub_is,
                     until_set_up)

# nobody, without a capability
UNPRIVILEGED = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', '--inh-caps=-all']


def says(words, number, **more):
    text = run('radio', 'check', '--radio', f'hci:{number}', '--duration', '1', status=1, **more)
    assert words in text, text


def is_told_that_the_system_has_it():
    says('systemctl stop bluetooth', 0)
    assert 'systemctl stop bluetooth' in radios()['hci:0']['obstacle']
    assert not any(radios()[name]['default'] for name in ('hci:0', 'hci:1'))


def is_told_that_there_is_none():
    says('there is no hci7', 7)


def gets_what_bluetoothd_lets_go():
    system('systemctl', 'stop', 'bluetooth')
    eventually(lambda: radios()['hci:0']['usable'], 'the adapter is still up')
    assert radios()['hci:0']['default'] and radios()['hci:1']['usable']


def is_told_what_permission_lacks():
    says('cap_net_admin=ep', 1, before=UNPRIVILEGED)


def checks():
    with bumble():
        check = events(run('radio', 'check', '--radio', 'hci:0', '--json'))[0]
    assert check['event'] == 'radio_checked' and check['findings'][0] == 'hears', check
    assert check['public_address'] and check['buffers'] > 0 and check['command_octets'], check


def is_told_that_another_program_has_it():
    with device('flockfinder'):
        says('in use by another program', 1)


def is_told_that_it_is_blocked():
    switch = next(pathlib.Path('/sys/class/bluetooth/hci1').glob('rfkill*')) / 'soft'
    switch.write_text('1')
    says('rfkill unblock bluetooth', 1)
    switch.write_text('0')


def is_told_that_the_kernel_gave_it_up():
    # An adapter that answers nothing: the kernel waits for its reset, and then forgets it.
    with open('/dev/vhci', 'r+b', buffering=0) as silent:
        silent.write(b'\xff\0')
        number = silent.read(4)[2]
        says(f'setting hci{number} up', number)


def is_told_that_it_was_unplugged():
    scan = subprocess.Popen([LANTERN, 'scan', '--radio', 'hci:0'], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)
    # Once it has the adapter, nobody else gets it.
    eventually(lambda: not radios()['hci:0']['usable'], 'the scan has not begun')
    kill('btvirt')
    _, errors = scan.communicate(timeout=60)
    assert scan.returncode == 1 and 'hci0 was unplugged' in errors, f'{scan.returncode} {errors}'


def takes_what_is_plugged_in():
    # Nothing is named, and no adapter is there when the hub starts.
    with hub():
        until_hub_is('missing')
        plug_in(1)
        until_set_up(1)
        until_hub_is('scanning')
        kill('btvirt')
        until_hub_is('missing')
        plug_in(2)
        until_set_up(2)
        until_hub_is('scanning')


main([is_told_that_the_system_has_it, is_told_that_there_is_none, gets_what_bluetoothd_lets_go, is_told_what_permission_lacks,
      checks, is_told_that_another_program_has_it, is_told_that_it_is_blocked, is_told_that_the_kernel_gave_it_up,
      is_told_that_it_was_unplugged, takes_what_is_plugged_in])
