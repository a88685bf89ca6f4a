// SPDX-License-Identifier: Apache-2.0

public import BLEHost
public import BLEHostDriver
public import BLESimulation
public import BLESystemRadio
public import BLETransport
import BLEVirtualRadio
import BLEWire
public import BluetoothLE
import Synchronization

/// Which radio a person has chosen: what `--radio` says, and a hub's settings.
public enum RadioChoice: Hashable, Sendable {
    /// The virtual air inside this process.
    case simulation
    /// A controller behind HCI: an adapter of this machine, or over TCP or a serial port.
    case hci(TransportAddress)
    /// An adapter through bluetoothd, as in `hci0`; `nil` takes the first that is powered.
    case bluez(String?)
    /// Core Bluetooth: the system's on Apple platforms.
    ///
    /// On Linux, for tests, it is our own module of that name on a virtual phone, whose radio is a controller's or, with `nil`, the
    /// virtual air's.
    case coreBluetooth(over: TransportAddress?)

    /// The address of this process on the virtual air.
    private static let simulatedAddress = BluetoothAddress(0x00AA_0100_0001, kind: .public)

    /// Reads a choice.
    ///
    /// - Parameter text: What was written.
    /// - Throws: ``RadioChoiceError`` when it is no radio, or none that there is yet.
    public init(_ text: String) throws(RadioChoiceError) {
        switch text.prefix(while: { $0 != ":" }) {
        case "sim" where text == "sim": self = .simulation
        case "tcp", "tcp-listen", "serial", "hci":
            do throws(TransportError) {
                self = .hci(try TransportAddress(text))
            } catch {
                throw .malformed(error.description)
            }
        case "bluez":
            let name = text.dropFirst("bluez".count)
            guard name.isEmpty || name.count > 1 && !name.dropFirst().contains("/") else {
                throw .malformed("The radio bluez is written bluez or bluez:NAME, as in bluez:hci0.")
            }
            self = .bluez(name.isEmpty ? nil : String(name.dropFirst()))
        case "corebluetooth": self = try Self.coreBluetooth(text.dropFirst("corebluetooth".count))
        default: throw .unknown(text)
        }
    }

    /// Chooses where nothing was written: BlueZ if it has an adapter that is on, else an adapter of the kernel.
    ///
    /// - Parameters:
    ///   - system: The adapters that bluetoothd offers.
    ///   - kernel: The adapters that the kernel has; opening says why none of them can be used.
    /// - Returns: The choice.
    /// - Throws: ``RadioChoiceError/missing`` when there is neither.
    public static func standard(
        system: [SystemAdapter], kernel: [Adapter]
    ) throws(RadioChoiceError) -> RadioChoice {
        switch SystemRadio.standard(of: system, kernel: kernel) {
        case .bluez(let name): return .bluez(name)
        case .adapter(let number): return .hci(.adapter(number))
        case .coreBluetooth: return .coreBluetooth(over: nil)
        case nil: throw .missing
        }
    }

    /// Chooses where nothing was written, from what this machine has.
    ///
    /// - Returns: The choice.
    /// - Throws: ``RadioChoiceError/missing``.
    public static func standard() async throws(RadioChoiceError) -> RadioChoice {
        try standard(system: await SystemAdapter.all(), kernel: Adapter.all())
    }

    /// Opens the radio, on a loop of its own.
    ///
    /// - Parameters:
    ///   - capture: Where HCI traffic is written at any time, if it may be; BlueZ shows none.
    ///   - configuration: How our own host behaves, where it is used.
    ///   - bonds: What keeps its bonds from run to run.
    ///   - air: What the virtual air is like.
    ///   - devices: Makes the devices of the virtual air, where that was chosen.
    /// - Returns: The radio, ready for use; whoever opens it closes it.
    /// - Throws: ``RadioOpeningError``.
    public func open(
        capture: CaptureSwitch? = nil, _ configuration: HostConfiguration = HostConfiguration(),
        bonds: (any BondStore)? = nil, air: VirtualAir.Configuration = VirtualAir.Configuration(),
        devices: @escaping @Sendable () -> [any SimulatedHost]
    ) async throws(RadioOpeningError) -> Radio {
        if case .bluez(let name) = self { return try await Self.openBlueZ(name) }
        if case .coreBluetooth(let address) = self {
            return try await Self.openCoreBluetooth(address) { (choice) async throws(RadioOpeningError) in
                try await choice.openHost(
                    capture: capture, configuration, bonds: bonds, air: air, devices: devices)
            }
        }
        return Radio(
            owning: try await openHost(
                capture: capture, configuration, bonds: bonds, air: air, devices: devices))
    }

    private static func openBlueZ(_ name: String?) async throws(RadioOpeningError) -> Radio {
        let loop: TransportLoop
        do throws(TransportError) { loop = try TransportLoop() } catch { throw .noLoop(error) }
        do throws(BluetoothError) { return try await .bluez(name, on: loop) } catch {
            throw .radio(error, transport: nil)
        }
    }

    /// Opens the radio as ``open(capture:devices:)`` does, for whoever wants to see the controller behind it.
    ///
    /// - Parameters:
    ///   - capture: Where HCI traffic is written at any time, if it may be.
    ///   - configuration: How the host behaves.
    ///   - bonds: What keeps its bonds from run to run.
    ///   - air: What the virtual air is like.
    ///   - devices: Makes the devices of the virtual air, where that was chosen.
    /// - Returns: The host, started; whoever opens it closes it.
    /// - Throws: As ``open(capture:devices:)``.
    public func openHost(
        capture: CaptureSwitch? = nil, _ configuration: HostConfiguration = HostConfiguration(),
        bonds: (any BondStore)? = nil, air: VirtualAir.Configuration = VirtualAir.Configuration(),
        devices: @escaping @Sendable () -> [any SimulatedHost]
    ) async throws(RadioOpeningError) -> HostRadio {
        // Before anything is opened, because a radio that is opened waits to be closed.
        let loop: TransportLoop
        do throws(TransportError) { loop = try TransportLoop() } catch { throw .noLoop(error) }
        let reach = await reach(on: loop, air, devices)
        let trouble = LastOpeningError()
        let host = HostRadio(configuration, bonds: bonds, loop: loop) { (loop) async throws(TransportError) in
            let transport = try await trouble.kept { () async throws(TransportError) in try await reach(loop)
            }
            guard let capture else { return transport }
            return CapturedTransport(transport, through: capture)
        }
        do throws(BluetoothError) {
            try await host.start()
        } catch {
            await host.close()
            throw .radio(error, transport: trouble.last)
        }
        return host
    }

    /// How to reach the controller, again each time that it was lost; a simulated air runs on the loop, too.
    private func reach(
        on loop: TransportLoop, _ configuration: VirtualAir.Configuration,
        _ devices: @escaping @Sendable () -> [any SimulatedHost]
    ) async -> @Sendable (TransportLoop) async throws(TransportError) -> any Transport {
        switch self {
        case .simulation:
            let air = VirtualRadio(configuration, on: loop)
            await air.add(devices)
            return { (loop) async throws(TransportError) in
                await air.attach(VirtualAir.ControllerConfiguration(address: Self.simulatedAddress), on: loop)
            }
        case .hci(let address):
            return { (loop) async throws(TransportError) in try await address.open(on: loop) }
        case .bluez:
            return { (_) async throws(TransportError) in
                throw .cannotOpen("BlueZ does not show the controller; hci:N does")
            }
        case .coreBluetooth:
            return { (_) async throws(TransportError) in
                throw .cannotOpen("Core Bluetooth does not show the controller")
            }
        }
    }
}

/// Why a text chooses no radio.
public enum RadioChoiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nothing was chosen, and nothing can be found without.
    case missing
    /// No radio is called so.
    case unknown(String)
    /// Its kind is known, but what stands behind it is not as it has to be: a sentence.
    case malformed(String)

    /// A sentence that says what to write.
    public var description: String {
        switch self {
        case .missing:
            "This machine has no Bluetooth adapter, so --radio must name a radio: \(RadioChoice.choices). sim needs no "
                + "hardware."
        case .unknown(let text) where text.allSatisfy(\.isWhitespace): "Name a radio: \(RadioChoice.choices)."
        case .unknown(let text): "There is no radio \(text): choose \(RadioChoice.choices)."
        case .malformed(let sentence): sentence
        }
    }
}

/// Why a radio could not be opened.
public enum RadioOpeningError: Error, Hashable, Sendable {
    /// The system gives no more descriptors or threads.
    case noLoop(TransportError)
    /// It cannot be used; with what kept its transport from opening, if that did.
    case radio(BluetoothError, transport: TransportError?)
}

/// What has kept a transport from opening, last.
private final class LastOpeningError: Sendable {
    private let error = Mutex<TransportError?>(nil)

    var last: TransportError? { error.withLock { $0 } }

    func kept<Value: Sendable>(
        _ body: @Sendable () async throws(TransportError) -> Value
    ) async throws(TransportError) -> Value {
        do throws(TransportError) {
            return try await body()
        } catch {
            self.error.withLock { $0 = error }
            throw error
        }
    }
}
