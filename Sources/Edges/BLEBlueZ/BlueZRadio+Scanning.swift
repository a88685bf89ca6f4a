// SPDX-License-Identifier: Apache-2.0

import BLETransport
import BLEWire
package import BluetoothLE
import DBus

/// Whether BlueZ listens for advertisers, and for whom.
struct Discovery {
    /// In the order in which they came.
    var scans: [Scan] = []
    /// Attempts to connect to devices that BlueZ does not know.
    var searches = 0
    /// Devices that are being connected to, each for a few seconds: meanwhile BlueZ does not listen.
    ///
    /// While it does, the kernel has its controller report each advertiser once in ten seconds, and connects only then.
    var heldFor: Set<String> = []
    var isOn = false
    /// Whether BlueZ has not answered yet.
    var isChanging = false
    /// Discovery that brings nothing for so long is begun anew: some controllers go deaf.
    var deafSeconds: UInt64 = 60
    /// When it is taken for deaf.
    var watchdog: LoopTimer?

    var isWanted: Bool { heldFor.isEmpty && (!scans.isEmpty || searches > 0) }
}

extension BlueZRadio {
    /// How long an attempt to connect keeps scans waiting: longer than the longest usual pause of advertisers, 2 s.
    private static let pauseSeconds: UInt64 = 5

    package nonisolated func start(_ scan: Scan) async throws(BluetoothError) { try await add(scan) }

    private func add(_ scan: Scan) throws(BluetoothError) {
        guard adapter != nil else { throw .radioUnavailable("it is off") }
        discovery.scans.append(scan)
        // Whoever was heard a moment ago may be heard again in ten seconds only.
        if discovery.isOn { tellWhatIsHeard(to: [scan]) }
        adjustDiscovery()
    }

    package nonisolated func stop(_ scan: Scan.ID) {
        loop.execute { self.onLoop { $0.remove(scan) } }
    }

    private func remove(_ id: Scan.ID) {
        discovery.scans.removeAll { $0.id == id }
        adjustDiscovery()
    }

    func endScans(_ error: BluetoothError?) {
        for scan in discovery.scans { scan.end(error) }
        discovery.scans = []
    }

    /// Gives out what BlueZ knows of a device that was just heard.
    func heard(_ path: String) {
        if tell(path, to: discovery.scans) {
            discovery.watchdog?.set(loop.now.advanced(bySeconds: discovery.deafSeconds))
        }
    }

    private func tellWhatIsHeard(to scans: [Scan]) {
        for (path, properties) in objects.all(BlueZ.device) where properties["RSSI"] != nil {
            tell(path, to: scans)
        }
    }

    @discardableResult private func tell(_ path: String, to scans: [Scan]) -> Bool {
        guard let adapter, path.hasPrefix(adapter + "/"), !scans.isEmpty,
            let properties = objects.properties(path, BlueZ.device),
            let advertisement = BlueZDevice(properties: properties).advertisement
        else { return false }
        var wakeUps = StreamWakeUps()
        for scan in scans {
            var heard = FIFO<Advertisement>()
            heard.append(advertisement)
            scan.hear(&heard, &wakeUps)
        }
        wakeUps.wake()
        return true
    }

    /// Has BlueZ not listen for at most so long, or until ``resumeDiscovery(for:)``.
    ///
    /// - Returns: The timer of that end.
    func pauseDiscovery(for path: String) -> LoopTimer {
        discovery.heldFor.insert(path)
        adjustDiscovery()
        let timer = loop.makeTimer { [weak self] in self?.onLoop { $0.resumeDiscovery(for: path) } }
        timer.set(loop.now.advanced(bySeconds: Self.pauseSeconds))
        return timer
    }

    func resumeDiscovery(for path: String) {
        if discovery.heldFor.remove(path) != nil { adjustDiscovery() }
    }

    /// Has BlueZ listen, or not, as it is wanted.
    func adjustDiscovery() {
        guard let bus, let adapter, !discovery.isChanging, discovery.isWanted != discovery.isOn else {
            return
        }
        let isWanted = discovery.isWanted
        discovery.isChanging = true
        if isWanted {
            let filter = DBusValue.options(["Transport": .string("le"), "DuplicateData": .bool(true)])
            // Where it is refused, less is heard.
            bus.send(DBusCall(BlueZ.service, adapter, BlueZ.adapter, "SetDiscoveryFilter", [filter])) { _ in }
        }
        let method = isWanted ? "StartDiscovery" : "StopDiscovery"
        bus.send(DBusCall(BlueZ.service, adapter, BlueZ.adapter, method)) { [weak self] answer in
            self?.onLoop { $0.discoveryChanged(isWanted, answer, of: adapter) }
        }
    }

    private func discoveryChanged(_ isOn: Bool, _ answer: Result<[DBusValue], DBusError>, of adapter: String)
    {
        guard adapter == self.adapter, discovery.isChanging else { return }
        discovery.isChanging = false
        if case .failure(let error) = answer, isOn {
            if case .refused("org.bluez.Error.InProgress", _) = error {
                // Another answer to the same request.
            } else {
                discovery.searches = 0
                return endScans(.refusedByRadio("scanning: \(error)"))
            }
        }
        discovery.isOn = isOn
        if isOn {
            let timer = loop.makeTimer { [weak self] in self?.onLoop { $0.listenAnew() } }
            timer.set(loop.now.advanced(bySeconds: discovery.deafSeconds))
            discovery.watchdog = timer
            tellWhatIsHeard(to: discovery.scans)
        } else {
            discovery.watchdog = nil
        }
        adjustDiscovery()
    }

    /// Nothing was heard for long.
    private func listenAnew() {
        guard let bus, let adapter, discovery.isOn, !discovery.isChanging else { return }
        discovery.isChanging = true
        bus.send(DBusCall(BlueZ.service, adapter, BlueZ.adapter, "StopDiscovery")) { [weak self] answer in
            self?.onLoop { $0.discoveryChanged(false, answer, of: adapter) }
        }
    }
}
