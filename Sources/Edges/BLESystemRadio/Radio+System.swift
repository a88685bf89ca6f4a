// SPDX-License-Identifier: Apache-2.0

public import BLEHost
public import BLEHostDriver
import BLETransport
public import BluetoothLE

extension Radio {
    /// Opens a radio of this machine: what `lantern` takes where no `--radio` is written.
    ///
    /// On Linux that is an adapter through BlueZ where bluetoothd has one that is on, which needs no privileges; else an adapter of
    /// the kernel, which our own host drives alone. BlueZ keeps keys itself and makes them: what is given for them counts for our
    /// own host. On Apple platforms it is Core Bluetooth, which pairs by itself, too, and asks nobody but the person before it: an
    /// agent is not asked there.
    ///
    /// - Parameters:
    ///   - name: Which adapter, as in `hci0`; `nil` takes the first that can be used. `lantern radios` lists them.
    ///   - configuration: How our own host behaves.
    ///   - cryptography: What our own host makes keys with, as `HostCryptography()` of BLECrypto.
    ///   - bonds: What keeps the keys of our own host from run to run.
    ///   - agent: How this side pairs, and who answers for it, when a device asks for it.
    ///   - waiting: Whether a radio that cannot be used yet, or is not there yet, is waited for. It is off then and comes on by itself
    ///     (``Radio/waitUntilReady()``). Where bluetoothd has the adapter it is waited for there, switched off or not.
    /// - Returns: The radio, ready for use unless it is waited for; whoever opens it closes it.
    /// - Throws: ``BluetoothError/radioUnavailable(_:)`` and ``BluetoothError/unauthorized(_:)``: the text says what to do;
    ///   ``BluetoothError/pairing(_:)`` with `noCryptography` for an agent that needs cryptography and has none.
    public static func system(
        named name: String? = nil, _ configuration: HostConfiguration = HostConfiguration(),
        cryptography: (any PairingCryptography)? = nil, bonds: (any BondStore)? = nil,
        agent: PairingAgent? = nil, waiting: Bool = false
    ) async throws(BluetoothError) -> Radio {
        let system = await SystemAdapter.all()
        let choice =
            waiting
            ? SystemRadio.awaited(named: name, of: system)
            : SystemRadio.standard(named: name, of: system, kernel: Adapter.all())
        switch choice {
        case .bluez(let name):
            let loop: TransportLoop
            do throws(TransportError) { loop = try TransportLoop() } catch {
                throw .radioUnavailable(error.reason)
            }
            let radio = try await bluez(name, on: loop, waiting: waiting)
            guard let agent else { return radio }
            do throws(BluetoothError) {
                try await radio.pairWhenAsked(agent)
            } catch {
                await radio.close()
                throw error
            }
            return radio
        case .adapter(let number):
            return try await open(
                .adapter(number), configuration, cryptography: cryptography, bonds: bonds, agent: agent,
                waiting: waiting)
        case .coreBluetooth: return try await ofTheSystem(waiting: waiting)
        case nil: throw .radioUnavailable(SystemRadio.absence(of: name))
        }
    }
}

/// Which radio of a machine a program uses where nobody has said more.
package enum SystemRadio: Hashable, Sendable {
    /// An adapter through bluetoothd, as in `hci0`; `nil` takes the first that is powered.
    case bluez(String?)
    /// An adapter that the kernel has, for this program alone; `nil` takes the first that can be used.
    case adapter(Int?)
    /// Core Bluetooth, on Apple platforms.
    case coreBluetooth

    /// Chooses: Core Bluetooth where there is that; else BlueZ if it has the adapter and that is on, else the adapter of the kernel.
    ///
    /// - Parameters:
    ///   - name: Which adapter, as in `hci0`; `nil` for any.
    ///   - system: The adapters that bluetoothd offers.
    ///   - kernel: The adapters that the kernel has; opening says why one of them cannot be used.
    /// - Returns: The choice; `nil` when there is neither.
    package static func standard(
        named name: String? = nil, of system: [SystemAdapter], kernel: [Adapter]
    ) -> SystemRadio? {
        if name == nil, system.contains(where: { $0.radio == "corebluetooth" }) { return .coreBluetooth }
        let isOn = system.contains { adapter in
            adapter.obstacle == nil && (name.map { adapter.radio == "bluez:" + $0 } ?? true)
        }
        if isOn { return .bluez(name) }
        guard let name else { return kernel.isEmpty ? nil : .adapter(nil) }
        return kernel.first { "hci\($0.number)" == name }.map { .adapter($0.number) }
    }

    /// Chooses what to wait for: Core Bluetooth where there is that; else BlueZ if it has the adapter, on or off, else the adapter of the kernel.
    ///
    /// - Parameters:
    ///   - name: Which adapter, as in `hci0`; `nil` for any.
    ///   - system: The adapters that bluetoothd offers.
    /// - Returns: The choice; `nil` where no radio of the system can come.
    package static func awaited(named name: String? = nil, of system: [SystemAdapter]) -> SystemRadio? {
        if name == nil, system.contains(where: { $0.radio == "corebluetooth" }) { return .coreBluetooth }
        let isThere = system.contains { adapter in
            name.map { adapter.radio == "bluez:" + $0 } ?? adapter.radio.hasPrefix("bluez:")
        }
        if isThere { return .bluez(name) }
        guard kernelHasAdapters else { return nil }
        guard let name else { return .adapter(nil) }
        return name.hasPrefix("hci") ? Int(name.dropFirst(3)).map { .adapter($0) } : nil
    }
}
