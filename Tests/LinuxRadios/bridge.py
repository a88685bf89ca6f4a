# SPDX-License-Identifier: Apache-2.0
"""A controller of our virtual air as an adapter of the kernel, through /dev/vhci, and what the kernel asks of it."""
import contextlib

from bumble.transport import open_transport

COMMAND, EVENT = 1, 4
COMMAND_COMPLETE, COMMAND_STATUS = 0x0E, 0x0F
UNKNOWN_COMMAND = 0x01


class Commands:
    """The commands that the kernel has sent, with the statuses that came back."""

    def __init__(self):
        self.sent, self.refused = set(), {}

    def note_command(self, packet):
        if packet[0] == COMMAND:
            self.sent.add(packet[1] | packet[2] << 8)

    def note_event(self, packet):
        if packet[0] != EVENT:
            return
        if packet[1] == COMMAND_COMPLETE and len(packet) > 6:
            opcode, status = packet[4] | packet[5] << 8, packet[6]
        elif packet[1] == COMMAND_STATUS:
            opcode, status = packet[5] | packet[6] << 8, packet[3]
        else:
            return
        if status != 0:
            self.refused.setdefault(opcode, set()).add(status)

    def refusals(self):
        return {f'{opcode:#06x}': sorted(statuses) for opcode, statuses in sorted(self.refused.items())}

    @property
    def unknown(self):
        return sorted(f'{opcode:#06x}' for opcode, statuses in self.refused.items() if UNKNOWN_COMMAND in statuses)


class Sink:
    """Looks at packets on their way."""

    def __init__(self, note, sink):
        self.note, self.sink = note, sink

    def on_packet(self, packet):
        self.note(packet)
        self.sink.on_packet(packet)


@contextlib.asynccontextmanager
async def bridge(port):
    """Gives the kernel the controller behind a TCP port."""
    commands = Commands()
    # The kernel speaks as soon as its adapter is there, so that comes last.
    async with await open_transport(f'tcp-client:127.0.0.1:{port}') as controller, await open_transport('vhci') as host:
        host.source.set_packet_sink(Sink(commands.note_command, controller.sink))
        controller.source.set_packet_sink(Sink(commands.note_event, host.sink))
        yield commands
