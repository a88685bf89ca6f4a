# SPDX-License-Identifier: Apache-2.0
"""BlueZ and lantern on one virtual air, in a virtual machine (see run).

`lantern radio serve` makes the air. One of its controllers becomes hci0 of the machine's kernel through
/dev/vhci, `lantern` itself attaches to the other over TCP: so the kernel and bluetoothd are hosts of our
controllers, and peers of our host.
"""
import asyncio
import json
import signal
import sys
import tempfile

from bleak import BleakClient, BleakScanner
from bleak.exc import BleakError
from dbus_fast import BusType
from dbus_fast.aio import MessageBus

from air import LANTERN, PORT, air, said_by, try_all
from bluez_peripheral import BlueZ, COMMANDS, INDICATED, LONG, SERVICE, STREAM
from bridge import bridge

RADIO = ['--radio', f'tcp:127.0.0.1:{PORT + 1}']
FLOCK = '4fafc201-1fb5-459e-8fcc-c5c9c331914b'
FLOCK_STREAM, FLOCK_COMMAND = ('beb5483e-36e1-4688-b7f5-ea07361b26' + end for end in ('a8', 'a9'))
LAMP = '7a5a{}-d04b-48eb-b3fa-32eb4f0ffac4'
LAMP_CHILD = LAMP.format('0204')
STANDARD = '0000{}-0000-1000-8000-00805f9b34fb'


class Lantern:
    """A run of the binary."""

    @classmethod
    async def start(cls, *arguments):
        run = cls()
        run.arguments, run.lines, run.is_stopped = arguments, [], False
        run.process = await asyncio.create_subprocess_exec(
            LANTERN, *arguments, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE)
        run.errors = asyncio.create_task(run.process.stderr.read())
        run.reader = asyncio.create_task(run.read())
        return run

    async def read(self):
        async for line in self.process.stdout:
            self.lines.append(line.decode().rstrip('\n'))

    def values(self):
        events = [json.loads(line) for line in self.lines]
        return [bytes.fromhex(event['octets']) for event in events if event.get('event') == 'value_received']

    async def until(self, condition):
        while not condition(self):
            if self.process.returncode is not None and self.reader.done():
                raise AssertionError(f'{self.arguments} ended: {self.lines[-5:]} {(await self.errors).decode()}')
            await asyncio.sleep(0.05)

    async def end(self, status=0):
        code = await self.process.wait()
        await self.reader
        errors = (await self.errors).decode()
        assert code == status, f'{self.arguments}: {code}, {self.lines[-5:]}, {errors}'
        return errors

    def stop(self):
        # A second one would end it at once.
        if self.process.returncode is None and not self.is_stopped:
            self.is_stopped = True
            self.process.send_signal(signal.SIGINT)


async def lantern(*arguments):
    run = await Lantern.start(*arguments, *RADIO)
    await run.end()
    return run


def att_opcodes(path):
    """How often each ATT opcode came in, from a btsnoop file."""
    counts = {}
    data = open(path, 'rb').read()[16:]
    while len(data) >= 24:
        length, flags = int.from_bytes(data[4:8], 'big'), int.from_bytes(data[8:12], 'big')
        packet, data = data[24:24 + length], data[24 + length:]
        is_att = len(packet) > 9 and packet[0] == 2 and packet[7:9] == b'\4\0' and packet[2] & 0x30 != 0x10
        if flags & 1 and is_att:
            counts[packet[9]] = counts.get(packet[9], 0) + 1
    return counts


# What is proved -------------------------------------------------------------------------------------------------

async def finds(bluez):
    run = await lantern('scan', '--json', '--duration', '3', '--name', 'bluez-peer')
    found = [json.loads(line) for line in run.lines]
    assert found, 'nothing was heard'
    bluez.address = found[0]['address'] + '/' + found[0]['address_kind'][0].upper()


async def explores(bluez):
    run = await lantern('gatt', 'tree', bluez.address, '--json')
    text = '\n'.join(run.lines).lower()
    for uuid in (SERVICE, STREAM, LONG, INDICATED, COMMANDS):
        assert uuid in text, f'{uuid} is not in {text}'


async def reads(bluez):
    run = await lantern('gatt', 'read', bluez.address, LONG, '--json')
    assert bluez.long.value.hex() in run.lines[0].lower(), run.lines
    run = await lantern('gatt', 'read', bluez.address, STREAM, '--json')
    assert bluez.stream.value.hex() in run.lines[0].lower(), run.lines


async def writes(bluez):
    long = bytes(255 - n % 256 for n in range(333))
    await lantern('gatt', 'write', bluez.address, LONG, long.hex())
    assert bluez.long.value == long, bluez.long.value.hex()
    await lantern('gatt', 'write', bluez.address, COMMANDS, '01ff', '--no-response')
    for _ in range(50):
        if bluez.commands.value == b'\1\xff':
            return
        await asyncio.sleep(0.1)
    raise AssertionError('the command did not come')


async def watches(bluez):
    sent = [b'paced %d' % n for n in range(40)] + [b'burst %d' % n for n in range(60)]
    with tempfile.NamedTemporaryFile() as file:
        run = await Lantern.start('gatt', 'watch', bluez.address, STREAM, '--count', str(len(sent)), '--json',
                                  '--capture', file.name, *RADIO)
        await run.until(lambda run: bluez.stream.subscribed.is_set())
        for value in sent:
            bluez.stream.send(value)
            await asyncio.sleep(0.1 if value.startswith(b'paced') else 0)
        await run.end()
        opcodes = att_opcodes(file.name)
    assert run.values() == sent, f'{len(run.values())} of {len(sent)}: {run.values()[-3:]}'
    print(f'     {len(sent)} values, as notifications: {opcodes.get(0x1B, 0)}, as multiple ones: {opcodes.get(0x23, 0)}')
    assert opcodes.get(0x23), 'bluetoothd has sent no Multiple Handle Value Notification'


async def watches_indications(bluez):
    sent = [b'indicated %d' % n for n in range(10)]
    run = await Lantern.start('gatt', 'watch', bluez.address, INDICATED, '--count', '10', '--json', *RADIO)
    await run.until(lambda run: bluez.indicated.subscribed.is_set())
    for value in sent:
        bluez.indicated.send(value)
        await asyncio.sleep(0.1)
    await run.end()
    assert run.values() == sent, run.values()


async def leaves(bluez):
    run = await Lantern.start('gatt', 'watch', bluez.address, STREAM, '--json', *RADIO)
    await run.until(lambda run: bluez.stream.subscribed.is_set())
    assert await bluez.connected()
    run.stop()
    await run.end()
    await bluez.until_alone()


async def is_left(bluez):
    run = await Lantern.start('gatt', 'watch', bluez.address, STREAM, '--json', *RADIO)
    await run.until(lambda run: bluez.stream.subscribed.is_set())
    device = await bluez.proxy((await bluez.connected())[0], 'org.bluez.Device1')
    await device.call_disconnect()
    errors = await run.end(1)
    assert 'closed' in errors, errors
    print('    ', errors.strip())


async def is_a_peripheral(bluez):
    await bluez.leave_the_air()
    await bluez.forget_everybody()
    run = await Lantern.start('device', 'run', 'flockfinder', '--json', *RADIO)
    try:
        device = await BleakScanner.find_device_by_filter(
            lambda device, data: FLOCK in data.service_uuids, timeout=60)
        assert device, f'bleak did not find our device: {run.lines}, {(await BleakScanner.discover(10, return_adv=True))}'
        values, gone = asyncio.Queue(), asyncio.Event()
        async with BleakClient(device, timeout=60) as client:
            uuids = {c.uuid for service in client.services for c in service.characteristics}
            assert {FLOCK_STREAM, FLOCK_COMMAND} <= uuids, uuids
            await client.start_notify(FLOCK_STREAM, lambda _, value: values.put_nowait(bytes(value)))
            await client.write_gatt_char(FLOCK_COMMAND, b'PING', response=True)
            assert json.loads(await values.get()), 'no answer'
            await client.stop_notify(FLOCK_STREAM)
        await run.until(lambda run: any('link_disconnected' in line for line in run.lines))
        async with BleakClient(device, timeout=60, disconnected_callback=lambda _: gone.set()):
            run.stop()
            await gone.wait()
    finally:
        run.stop()
    await run.end()


async def uses_a_lamp(bluez):
    """bleak and bluetoothctl with the nightlight that is simulated on our air."""
    await bluez.leave_the_air()
    await bluez.forget_everybody()
    device = await BleakScanner.find_device_by_name('Nightlight', timeout=60)
    assert device, 'bleak did not find the lamp'
    active = asyncio.Queue()
    async with BleakClient(device, timeout=60) as client:
        uuids = {service.uuid for service in client.services}
        assert {LAMP.format('0000'), LAMP.format('0200'), STANDARD.format('180f')} <= uuids, uuids
        assert 0 < (await client.read_gatt_char(STANDARD.format('2a19')))[0] <= 100
        # Longer than a request can be, so that it is prepared and executed.
        assert len(await client.read_gatt_char(LAMP.format('0201'))) > 22
        await client.write_gatt_char(LAMP_CHILD, b'Ada', response=True)
        assert await client.read_gatt_char(LAMP_CHILD) == b'Ada'
        # bluetoothd reports what is read like what is notified, so that comes first.
        before = await client.read_gatt_char(LAMP.format('0203'))
        await client.start_notify(LAMP.format('0203'), lambda _, value: active.put_nowait(bytes(value)))
        await client.write_gatt_char(LAMP.format('0003'), b'\1', response=True)
        assert await asyncio.wait_for(active.get(), 30) != before, 'the lamp said nothing new'
        try:
            await client.write_gatt_char(LAMP.format('0001'), b'\0\0\0', response=True)
            raise AssertionError('a wrong length was taken')
        except BleakError:
            pass
        said = await said_by('bluetoothctl', 'info', device.address)
        assert 'Connected: yes' in said and LAMP.format('0200') in said, said
    said = await said_by('bluetoothctl', 'info', device.address)
    assert 'Connected: no' in said, said


async def starts_an_older_controller(_):
    served = await Lantern.start('radio', 'serve', '--port', str(PORT + 10), '--features', 'legacy', '--json')
    await served.until(lambda run: any('"radio_ready"' in line for line in run.lines))
    async with bridge(PORT + 10) as commands:
        while 'Powered: yes' not in await said_by('bluetoothctl', 'show', '00:AA:02:00:00:01'):
            await asyncio.sleep(0.5)
        print('     refused:', commands.refusals())
        assert not commands.unknown, commands.unknown
    served.stop()
    await served.end()


async def knows_every_command(bluez):
    print(f'     {len(bluez.commands_sent.sent)} kinds of commands, refused:', bluez.commands_sent.refusals())
    assert not bluez.commands_sent.unknown, bluez.commands_sent.unknown


TESTS = [
    (finds, 'a BlueZ peripheral is found'),
    (explores, 'its services are shown'),
    (reads, 'its values are read, long ones too'),
    (writes, 'its values are written, long ones too, with and without response'),
    (watches, 'every value that it notifies comes'),
    (watches_indications, 'every value that it indicates comes'),
    (leaves, 'it learns that lantern leaves'),
    (is_left, 'lantern learns that it leaves, and says so'),
    (is_a_peripheral, 'a BlueZ central finds, uses and leaves our device, and is left'),
    (uses_a_lamp, 'bleak and bluetoothctl use a lamp of our air'),
    (starts_an_older_controller, 'the kernel starts a controller of Bluetooth 4.2'),
    (knows_every_command, 'every command of the kernel is known'),
]


async def main():
    async with air('--devices', 'nightlight'), bridge(PORT) as commands:
        bluez = BlueZ(await MessageBus(bus_type=BusType.SYSTEM).connect())
        await asyncio.wait_for(bluez.serve(), 120)
        bluez.commands_sent = commands
        print('BlueZ is on the air', flush=True)

        async def use(test):
            await test(bluez)
            await asyncio.wait_for(bluez.until_alone(), 30)
        return await try_all(TESTS, use, 180)


if __name__ == '__main__':
    sys.exit(1 if asyncio.run(main()) else 0)
