# SPDX-License-Identifier: Apache-2.0
"""BlueZ and lantern on one virtual air, in a virtual machine (see run).

`lantern radio serve` makes the air. One of its controllers becomes hci0 of the machine's kernel through
/dev/vhci, `lantern` itself attaches to the other over TCP: so the kernel and bluetoothd are hosts of our
controllers, and peers of our host.
"""
import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile

from bleak import BleakClient, BleakScanner
from bumble.transport import open_transport
from dbus_fast import BusType, PropertyAccess
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_method as method, dbus_property

LANTERN = os.environ['LANTERN']
PORT = 9000
RADIO = ['--radio', f'tcp:127.0.0.1:{PORT + 1}']
SERVICE = 'a5c00000-0000-4000-8000-00805f9b34fb'
STREAM, LONG, INDICATED, COMMANDS = (SERVICE.replace('a5c00000', f'a5c0000{n}') for n in range(1, 5))
FLOCK = '4fafc201-1fb5-459e-8fcc-c5c9c331914b'
FLOCK_STREAM, FLOCK_COMMAND = ('beb5483e-36e1-4688-b7f5-ea07361b26' + end for end in ('a8', 'a9'))


def prop(function):
    return dbus_property(access=PropertyAccess.READ)(function)


class Service(ServiceInterface):
    def __init__(self):
        super().__init__('org.bluez.GattService1')

    @prop
    def UUID(self) -> 's':
        return SERVICE

    @prop
    def Primary(self) -> 'b':
        return True


class Characteristic(ServiceInterface):
    """A characteristic that BlueZ serves for us."""

    def __init__(self, uuid, flags, value=b''):
        super().__init__('org.bluez.GattCharacteristic1')
        self.uuid, self.flags, self.value = uuid, flags, value
        self.subscribed = asyncio.Event()

    @prop
    def UUID(self) -> 's':
        return self.uuid

    @prop
    def Service(self) -> 'o':
        return '/app/service0'

    @prop
    def Flags(self) -> 'as':
        return self.flags

    @prop
    def Value(self) -> 'ay':
        return self.value

    @method()
    def ReadValue(self, options: 'a{sv}') -> 'ay':
        offset = options['offset'].value if 'offset' in options else 0
        return self.value[offset:]

    @method()
    def WriteValue(self, value: 'ay', options: 'a{sv}'):
        offset = options['offset'].value if 'offset' in options else 0
        self.value = self.value[:offset] + bytes(value)

    @method()
    def StartNotify(self):
        self.subscribed.set()

    @method()
    def StopNotify(self):
        self.subscribed.clear()

    def send(self, value):
        self.value = value
        self.emit_properties_changed({'Value': value})


class Advertisement(ServiceInterface):
    def __init__(self):
        super().__init__('org.bluez.LEAdvertisement1')

    @prop
    def Type(self) -> 's':
        return 'peripheral'

    @prop
    def ServiceUUIDs(self) -> 'as':
        return [SERVICE]

    @prop
    def Discoverable(self) -> 'b':
        return True

    @prop
    def LocalName(self) -> 's':
        return 'bluez-peer'

    @method()
    def Release(self):
        pass


class BlueZ:
    """bluetoothd as a peripheral."""

    def __init__(self, bus):
        self.bus = bus
        self.stream = Characteristic(STREAM, ['read', 'notify'], b'first')
        self.long = Characteristic(LONG, ['read', 'write'], bytes(n % 251 for n in range(400)))
        self.indicated = Characteristic(INDICATED, ['indicate'])
        self.commands = Characteristic(COMMANDS, ['read', 'write-without-response'])

    async def objects(self):
        root = self.bus.get_proxy_object('org.bluez', '/', await self.bus.introspect('org.bluez', '/'))
        return await root.get_interface('org.freedesktop.DBus.ObjectManager').call_get_managed_objects()

    async def proxy(self, path, interface):
        found = self.bus.get_proxy_object('org.bluez', path, await self.bus.introspect('org.bluez', path))
        return found.get_interface(interface)

    async def adapter(self):
        while True:
            with contextlib.suppress(Exception):
                for path, interfaces in (await self.objects()).items():
                    properties = interfaces.get('org.bluez.Adapter1')
                    if properties and properties['Powered'].value:
                        return path
            await asyncio.sleep(0.2)

    async def serve(self):
        self.bus.export('/app/service0', Service())
        for number, item in enumerate((self.stream, self.long, self.indicated, self.commands)):
            self.bus.export(f'/app/service0/char{number}', item)
        self.bus.export('/advertisement', Advertisement())
        path = await self.adapter()
        gatt = await self.proxy(path, 'org.bluez.GattManager1')
        await gatt.call_register_application('/app', {})
        await self.advertise()

    async def advertise(self):
        manager = await self.proxy(await self.adapter(), 'org.bluez.LEAdvertisingManager1')
        await manager.call_register_advertisement('/advertisement', {})

    async def leave_the_air(self):
        manager = await self.proxy(await self.adapter(), 'org.bluez.LEAdvertisingManager1')
        await manager.call_unregister_advertisement('/advertisement')

    async def forget_everybody(self):
        """BlueZ ignores what a device advertises whose services it has once seen."""
        adapter = await self.proxy(await self.adapter(), 'org.bluez.Adapter1')
        for path, interfaces in (await self.objects()).items():
            if 'org.bluez.Device1' in interfaces:
                await adapter.call_remove_device(path)

    async def connected(self):
        return [path for path, interfaces in (await self.objects()).items()
                if 'org.bluez.Device1' in interfaces and interfaces['org.bluez.Device1']['Connected'].value]

    async def until_alone(self):
        while await self.connected():
            await asyncio.sleep(0.2)


class Lantern:
    """A run of the binary."""

    @classmethod
    async def start(cls, *arguments):
        run = cls()
        run.arguments, run.lines = arguments, []
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
        if self.process.returncode is None:
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
]


async def main():
    chosen = [(test, words) for test, words in TESTS if not sys.argv[1:] or test.__name__ in sys.argv[1:]]
    air = await Lantern.start('radio', 'serve', '--port', str(PORT), '--json')
    await air.until(lambda run: any('"radio_ready"' in line for line in run.lines))
    failures = 0
    # The kernel speaks as soon as its controller is there, so that comes last.
    async with await open_transport(f'tcp-client:127.0.0.1:{PORT}') as controller, \
            await open_transport('vhci') as host:
        host.source.set_packet_sink(controller.sink)
        controller.source.set_packet_sink(host.sink)
        bluez = BlueZ(await MessageBus(bus_type=BusType.SYSTEM).connect())
        await asyncio.wait_for(bluez.serve(), 120)
        print('BlueZ is on the air', flush=True)
        for test, words in chosen:
            try:
                await asyncio.wait_for(test(bluez), 150)
                await asyncio.wait_for(bluez.until_alone(), 30)
                print('PASS', words, flush=True)
            except Exception as error:  # The next one is tried all the same.
                failures += 1
                print('FAIL', words + ':', type(error).__name__, error, flush=True)
    air.stop()
    print(f'{len(chosen) - failures} passed, {failures} failed')
    return failures


if __name__ == '__main__':
    sys.exit(1 if asyncio.run(main()) else 0)
