// SPDX-License-Identifier: Apache-2.0

public import BLEHost
public import BLETransport
public import BluetoothLE

extension Radio {
    /// Opens a radio of our own host stack, whose controller a text names.
    ///
    /// - Parameters:
    ///   - name: Where its controller is reached: `tcp:HOST:PORT`, `tcp-listen:HOST:PORT`, `serial:PATH[,BAUD]`, `hci` or `hci:N`.
    ///   - configuration: How the host behaves.
    ///   - cryptography: What keys are made with, as `HostCryptography()` of BLECrypto; without it the radio cannot pair.
    ///   - bonds: What keeps keys from run to run; `nil` keeps them as long as the radio lives.
    ///   - agent: How this side pairs, and who answers for it, when a device asks for it.
    ///   - waiting: Whether a radio that cannot be used yet is waited for, with ``Radio/waitUntilReady()``.
    /// - Returns: The radio, started; whoever opens it closes it.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` for a name that is none, whose sentence says what is expected; and what
    ///   opening a `TransportAddress` throws.
    public static func open(
        _ name: String, _ configuration: HostConfiguration = HostConfiguration(),
        cryptography: (any PairingCryptography)? = nil, bonds: (any BondStore)? = nil,
        agent: PairingAgent? = nil, waiting: Bool = false
    ) async throws(BluetoothError) -> Radio {
        let address: TransportAddress
        do throws(TransportError) { address = try TransportAddress(name) } catch {
            throw .invalidArgument(error.description)
        }
        return try await open(
            address, configuration, cryptography: cryptography, bonds: bonds, agent: agent, waiting: waiting)
    }

    /// Opens a radio of our own host stack.
    ///
    /// - Parameters:
    ///   - address: Where its controller is reached.
    ///   - configuration: How the host behaves.
    ///   - cryptography: What keys are made with, as `HostCryptography()` of BLECrypto; without it the radio cannot pair.
    ///   - bonds: What keeps keys from run to run; `nil` keeps them as long as the radio lives.
    ///   - agent: How this side pairs, and who answers for it, when a device asks for it; as ``Radio/pairWhenAsked(_:)`` sets it.
    ///   - waiting: Whether a radio that cannot be used yet is waited for. It is off then and comes on by itself as soon as it can be
    ///     opened (``Radio/waitUntilReady()``, ``Radio/states()``); so is one that can be opened at once.
    /// - Returns: The radio, started; whoever opens it closes it.
    /// - Throws: ``BluetoothError/radioUnavailable(_:)`` and ``BluetoothError/unauthorized(_:)``, unless it is waited for;
    ///   ``BluetoothError/pairing(_:)`` with `noCryptography` for an agent without cryptography, ``BluetoothError/bonds(_:)`` for one
    ///   whose keys cannot be read.
    public static func open(
        _ address: TransportAddress, _ configuration: HostConfiguration = HostConfiguration(),
        cryptography: (any PairingCryptography)? = nil, bonds: (any BondStore)? = nil,
        agent: PairingAgent? = nil, waiting: Bool = false
    ) async throws(BluetoothError) -> Radio {
        var configuration = configuration
        if let cryptography { configuration.cryptography = cryptography }
        let loop: TransportLoop
        do throws(TransportError) {
            loop = try TransportLoop()
        } catch {
            throw BluetoothError(error)
        }
        let host = HostRadio(configuration, bonds: bonds, loop: loop) { (loop) async throws(TransportError) in
            try await address.open(on: loop)
        }
        do throws(BluetoothError) {
            // Before anybody can ask.
            if let agent { try await host.pairWhenAsked(agent) }
            if waiting { try await host.startWaiting() } else { try await host.start() }
            if let agent { try await host.pairWhenAsked(agent) }
        } catch {
            await host.close()
            throw error
        }
        return Radio(owning: host)
    }
}

extension BluetoothError {
    /// Why a transport cannot be opened, or is gone.
    init(_ error: TransportError) {
        if case .adapter(.notPermitted) = error {
            self = .unauthorized(error.reason)
        } else {
            self = .radioUnavailable(error.reason)
        }
    }
}
