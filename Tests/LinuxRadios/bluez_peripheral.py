# SPDX-License-Identifier: Apache-2.0
"""bluetoothd as a peripheral, over D-Bus."""
import asyncio
import contextlib

from dbus_fast import PropertyAccess
from dbus_fast.service import ServiceInterface, dbus_method as method, dbus_property

SERVICE = 'a5c00000-0000-4000-8000-00805f9b34fb'
STREAM, LONG, INDICATED, COMMANDS = (SERVICE.replace('a5c00000', f'a5c0000{n}') for n in range(1, 5))


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
        self.advertises = False
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
        self.advertises = True

    async def leave_the_air(self):
        if not self.advertises:
            return
        self.advertises = False
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
