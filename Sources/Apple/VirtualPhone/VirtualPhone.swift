// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import BluetoothLE
import Synchronization

/// A phone where there is none: its radio, its switches, its apps, and what its system keeps for them.
///
/// The module `CoreBluetooth` for Linux asks it; apps never name it, their tests do:
///
/// ```
/// let phone = VirtualPhone(name: "iPhone", radio: radio)
/// let app = phone.app("org.example.lamp")
/// let model = app.launch { LampModel() }      // makes its CBCentralManager
/// phone.isBluetoothOn = false                 // its delegate is told .poweredOff
/// ```
///
/// The radio is not the phone's own: whoever has opened it closes it.
public final class VirtualPhone: Sendable {
    private struct State {
        var isBluetoothOn = true
        /// Whether the radio can be used; `nil` before it has said so.
        var isRadioReady: Bool?
        var apps: [String: App] = [:]
        var peers: [BluetoothUUID: Peer] = [:]
        var names: [Peer: String] = [:]
        var lastNumber: UInt64 = 0
    }

    /// What the phone is called, which devices read of it.
    public let name: String
    package let radio: Radio
    package let links: PhoneLinks
    package let server: PhoneServer
    /// What other modules keep of it.
    package let parts = PhoneParts()
    private let state = Mutex(State())

    /// Makes a phone.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - radio: Its radio.
    public init(name: String = "iPhone", radio: Radio) {
        self.name = name
        self.radio = radio
        server = PhoneServer(name: name, radio)
        links = PhoneLinks(radio, server)
        Task(executorPreference: radio.executor) { [weak self, radio] in
            // Ends with the radio.
            for await state in await radio.states() { self?.radioChanged(state == .ready) }
            self?.radioChanged(false)
        }
    }

    /// Whether Bluetooth is switched on in the phone's settings.
    public var isBluetoothOn: Bool {
        get { state.withLock { $0.isBluetoothOn } }
        set {
            state.withLock { $0.isBluetoothOn = newValue }
            conditionChanged()
        }
    }

    /// The app with an identifier; it is installed when there is none.
    ///
    /// - Parameters:
    ///   - bundleIdentifier: The identifier, as `org.example.lamp`.
    ///   - permission: Whether a person has let it use Bluetooth; of an app that is installed already nothing changes.
    /// - Returns: The app.
    public func app(_ bundleIdentifier: String = "org.example.app", permission: App.Permission = .allowed)
        -> App
    {
        state.withLock { state in
            if let app = state.apps[bundleIdentifier] { return app }
            let app = App(bundleIdentifier, on: self, permission)
            state.apps[bundleIdentifier] = app
            return app
        }
    }

    // MARK: Names

    /// How this phone's apps call a device: another identifier on each phone, the same each time.
    ///
    /// - Parameter peer: The device.
    /// - Returns: What `CBPeripheral.identifier` says.
    public func identifier(of peer: Peer) -> BluetoothUUID {
        let identifier = peer.identifier ?? Self.identifier("\(name)|\(peer)")
        state.withLock { $0.peers[identifier] = peer }
        return identifier
    }

    /// A version 4 UUID that a text always leads to.
    private static func identifier(_ text: String) -> BluetoothUUID {
        var (high, low): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15)
        for octet in text.utf8 {
            high = (high ^ UInt64(octet)) &* 0x0000_0100_0000_01B3
            low = (low ^ high) &* 0xFF51_AFD7_ED55_8CCD
            low ^= low >> 33
        }
        high ^= low >> 7
        return BluetoothUUID(high: high & ~0xF000 | 0x4000, low: low & ~(0xC000 << 48) | 0x8000 << 48)
    }

    /// The device that an identifier of this phone stands for; `nil` when it has never been heard or connected.
    package func peer(_ identifier: BluetoothUUID) -> Peer? { state.withLock { $0.peers[identifier] } }

    /// What a device was called last.
    package func name(of peer: Peer) -> String? { state.withLock { $0.names[peer] } }

    /// A device says what it is called.
    ///
    /// - Returns: Whether that is new.
    package func heard(name: String, of peer: Peer) -> Bool {
        state.withLock { $0.names.updateValue(name, forKey: peer) != name }
    }

    /// A number that nothing else on this phone has.
    package func makeNumber() -> UInt64 {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    // MARK: Conditions

    /// Whether Bluetooth can be used; `nil` as long as that is not known.
    package var isPoweredOn: Bool? {
        state.withLock { state in state.isRadioReady.map { $0 && state.isBluetoothOn } }
    }

    private func radioChanged(_ isReady: Bool) {
        state.withLock { $0.isRadioReady = isReady }
        conditionChanged()
    }

    private func conditionChanged() {
        let apps = state.withLock { state in
            state.apps.values.sorted { $0.bundleIdentifier < $1.bundleIdentifier }
        }
        let isOn = isPoweredOn == true
        // It is there before an app asks for it, and goes after the app was told.
        if isOn { server.conditionChanged(isOn: true) }
        for app in apps { app.conditionChanged() }
        if !isOn { server.conditionChanged(isOn: false) }
    }
}
