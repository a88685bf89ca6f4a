# SPDX-License-Identifier: Apache-2.0
"""A peripheral of Bumble on the air of btvirt's adapters, until SIGINT; with --fast it notifies as fast as it can."""
import asyncio
import contextlib
import signal
import sys

from bumble.core import AdvertisingData, UUID
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address, HCI_Error
from bumble.transport import open_transport

SERVICE = '4fafc201-1fb5-459e-8fcc-c5c9c331914b'
STREAM = 'beb5483e-36e1-4688-b7f5-ea07361b26a8'
ADVERTISEMENT = AdvertisingData([
    (AdvertisingData.FLAGS, bytes([6])),
    (AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, UUID(SERVICE).to_bytes())])
SCAN_RESPONSE = AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, b'bumble-peer')])


async def main():
    task = asyncio.current_task()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
    async with await open_transport('unix:/tmp/bt-server-le') as radio:
        device = Device.with_hci('bumble-peer', Address('F0:F1:F2:F3:F4:F5'), radio.source, radio.sink)
        await device.power_on()
        stream = Characteristic(
            STREAM,
            Characteristic.Properties.READ | Characteristic.Properties.WRITE | Characteristic.Properties.NOTIFY,
            Characteristic.READABLE | Characteristic.WRITEABLE,
            CharacteristicValue(read=lambda _: b'hello', write=lambda _, value: None))
        device.add_service(Service(SERVICE, [stream]))

        def is_subscribed(connection):
            subscribers = device.gatt_server.subscribers.get(connection, {})
            return any(any(value) for value in subscribers.values())

        # btvirt reports an advertisement once, when it or a scan starts, and connects only to who advertises at that moment:
        # so it begins anew each second, and at once when a link has ended.
        free = asyncio.Event()
        device.on(device.EVENT_CONNECTION, lambda connection: connection.on(
            connection.EVENT_DISCONNECTION, lambda _: free.set()))

        print('advertising', flush=True)
        n = 0
        try:
            while True:
                free.clear()
                if not device.connections:
                    with contextlib.suppress(HCI_Error):  # a link may come in between
                        if device.is_advertising:
                            await device.stop_advertising()
                        await device.start_advertising(
                            advertising_data=bytes(ADVERTISEMENT), scan_response_data=bytes(SCAN_RESPONSE))
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(free.wait(), 0.5 if device.connections else 1)
                n += 1
                await device.notify_subscribers(stream, b'tick %d' % n)
                while '--fast' in sys.argv and any(map(is_subscribed, device.connections.values())):
                    n += 1
                    await device.notify_subscribers(stream, b'tick %d' % n)
                    await asyncio.sleep(0)
        finally:
            # btvirt does not tell a host that its peer is gone.
            for connection in list(device.connections.values()):
                await connection.disconnect()


with contextlib.suppress(asyncio.CancelledError):
    asyncio.run(main())
