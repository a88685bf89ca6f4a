// SPDX-License-Identifier: Apache-2.0

import BLESessions
import BLEWire
import BluetoothLE
import Companion
import CompanionText
import Nightlight
import SimulatedDevices

/// A simulated lamp on a radio, and the person who presses its button.
enum LampRun {
    /// Serves until the task is cancelled or the radio is gone; the end of the input ends nothing.
    ///
    /// - Parameters:
    ///   - radio: The radio.
    ///   - printer: Shows what happens.
    ///   - input: What the person does.
    ///   - clock: What the lamp's clock shows.
    /// - Throws: ``BluetoothError``.
    static func serve(
        on radio: Radio, _ printer: EventPrinter, input: StandardInput, clock: ClockReading
    ) async throws {
        // As it comes from the factory, but for the clock; whoever wants more writes it.
        let lamp = NightlightDevice(clock: clock, battery: SimulatedNightlight.battery)
        let name = lamp.name.string
        let runner = DeviceRunner(lamp, on: radio)
        let person = Task {
            await input.forEachCommand(help: LampInput.help) { line in
                guard let action = LampInput(line) else { return false }
                await runner.update { lamp, now in action.act(on: &lamp, at: now) }
                return true
            }
        }
        defer { person.cancel() }
        try await printer.run(runner, named: name) { event in try printer.show(event) }
    }
}

extension EventPrinter {
    /// Shows what happens at a lamp; what it keeps is nothing to look at.
    func show(_ event: NightlightDeviceEvent) throws(OutputError) {
        switch event {
        case .connected(let link, let peer): try show(LinkConnected(link: link, peer))
        case .disconnected(let link): try show(LinkDisconnected(link: link))
        case .shows(let display): try show(LampShows(display), patches: display.colors)
        case .pressed(let verdict): try show(LampButtonPressed(verdict))
        case .shaken(let turns): try show(LampShaken(turnsColors: turns))
        case .battery(let battery): try show(LampBatteryChanged(battery))
        case .clock(let time): try show(LampClockSet(time))
        case .written(let link, let item, let octets): try show(LampWritten(link, item, octets))
        case .refused(let link, let item, let refusal): try show(LampWriteRefused(link, item, refusal))
        case .settings: break
        }
    }

    /// Prints an event with patches of its colours in place of its mark, wide enough to be seen across a room.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - colors: The colours.
    /// - Throws: ``OutputError``.
    func show(_ event: some EventText, patches colors: [RGBColor]) throws(OutputError) {
        let terminal = output.terminal
        guard !isJSON, terminal.hasColor else { return try show(event) }
        let width = 12 / max(1, colors.count)
        let patches = colors.map { terminal.painted(String(repeating: " ", count: width), $0) }
        let room = max(20, terminal.columns - min(27, terminal.columns))
        let text = FixedWidthText.fitted(PrintableText.escaped(event.line.text), columns: room)
        try output.line(
            terminal.styled(now().clock, .dim) + "  " + patches.joined(separator: " ") + " " + text)
    }
}
