// SPDX-License-Identifier: Apache-2.0

public import BLEAdvertising
public import BLEWire

/// Notices cameras and sensors by their Bluetooth advertisements: those go in, detections come out.
///
/// What an address says in advertisements and scan responses is put together; when it is enough for the table's
/// threshold, the rest has a second to come, then there is a detection. While the source stays it is said again, once an
/// interval. What an address has said counts until it was silent for a minute.
///
/// Cameras that only use Wi-Fi are not heard. An advertiser without an address is passed over: nobody could tell it from
/// the next.
public struct Detector: ~Copyable, Sendable {
    /// How much of what there may be.
    public struct Limits: Hashable, Sendable {
        /// Addresses of which something was seen, and as many of which that was enough; when more come, the one of the
        /// same that was silent longest is forgotten.
        public var addresses = 512
        /// The shortest time between two detections of one source, in milliseconds.
        public var interval: UInt64 = 10_000
        /// How long the rest of what a source says may take, in milliseconds.
        public var settling: UInt64 = 1000

        /// Makes the usual limits.
        public init() {}
    }

    /// How long what an address has said counts while it is silent, in microseconds.
    private static let memory: UInt64 = 60_000_000
    /// Signatures that are kept of an address.
    private static let mostMatches = 32

    private struct Heard: Sendable {
        /// The numbers of the signatures that were seen.
        var matches: [Int] = []
        var name: WireText?
        /// The strongest report since the last detection, and its octets.
        var strongest = Int8.min
        var octets: [UInt8] = []
        var last: HostInstant
        var reported: HostInstant?
        /// Until when the rest may come, once there is enough.
        var due: HostInstant?
        var isSettled = false
    }

    /// What is known of cameras and sensors.
    public let table: SignatureTable
    private let limits: Limits
    /// Two lists, so that no crowd of addresses displaces those of which enough was seen.
    private var candidates: RecencyDictionary<BluetoothAddress, Heard>
    private var sources: RecencyDictionary<BluetoothAddress, Heard>
    /// Those that settle, the first due first.
    private var settling = FIFO<(address: BluetoothAddress, due: HostInstant)>()
    private var output = FIFO<Detection>()

    /// Makes a detector that has heard nothing.
    ///
    /// - Parameters:
    ///   - table: What is known of cameras and sensors.
    ///   - limits: How much of what there may be.
    public init(_ table: SignatureTable, limits: Limits = Limits()) {
        self.table = table
        self.limits = limits
        candidates = RecencyDictionary(limit: limits.addresses)
        sources = RecencyDictionary(limit: limits.addresses)
    }

    /// Takes an advertisement or scan response; then call ``nextOutput()`` until it returns `nil`.
    ///
    /// - Parameters:
    ///   - data: What it says.
    ///   - address: Who has sent it.
    ///   - rssi: How strong it was, in dBm; `nil` when nobody knows, which counts as the weakest.
    ///   - now: When it came.
    public mutating func receive(
        _ data: AdvertisingData, from address: BluetoothAddress, rssi: Int8?, at now: HostInstant
    ) {
        deadlineReached(at: now)
        guard address.kind != .anonymous else { return }
        let found = table.matches(in: data, from: address)
        guard !found.isEmpty || sources[address] != nil || candidates[address] != nil else { return }
        var heard = sources[address] ?? candidates[address] ?? Heard(last: now)
        note(found, data, rssi, in: &heard, at: now)
        guard isEnough(heard.matches) else { return keep(heard, of: address) }
        if heard.isSettled {
            report(address, heard, at: now)
        } else {
            // A new one may displace one that waits: before, it is said.
            if sources.count >= limits.addresses, sources[address] == nil { finish() }
            let due = heard.due ?? now.advanced(byMilliseconds: limits.settling)
            if heard.due == nil { settling.append((address, due)) }
            heard.due = due
            candidates.removeValue(forKey: address)
            sources.use(address, default: heard) { $0 = heard }
        }
    }

    /// Handles ``nextDeadline`` once it has come; then call ``nextOutput()`` until it returns `nil`.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) {
        while let due = nextDeadline, due <= now { settleFirst() }
    }

    /// Waits for nothing more; then call ``nextOutput()`` until it returns `nil`.
    public mutating func finish() { while !settling.isEmpty { settleFirst() } }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? { settling.first?.due }

    /// The next detection.
    ///
    /// - Returns: The detection; `nil` when there is none.
    public mutating func nextOutput() -> Detection? { output.popFirst() }

    // MARK: Parts

    private func note(
        _ found: [Int], _ data: AdvertisingData, _ rssi: Int8?, in heard: inout Heard, at now: HostInstant
    ) {
        if now.microseconds(since: heard.last) > Self.memory {
            let reported = heard.reported
            heard = Heard(last: now)
            heard.reported = reported
        }
        heard.last = now
        for index in found where !heard.matches.contains(index) && heard.matches.count < Self.mostMatches {
            heard.matches.append(index)
        }
        if let name = data.name { heard.name = name }
        let strength = min(max(rssi ?? -127, -127), 20)
        if !isResting(heard, at: now), strength > heard.strongest {
            (heard.strongest, heard.octets) = (strength, data.octets)
        }
    }

    private func isResting(_ heard: Heard, at now: HostInstant) -> Bool {
        heard.reported.map { now < $0.advanced(byMilliseconds: limits.interval) } ?? false
    }

    private func isEnough(_ matches: [Int]) -> Bool {
        table.verdict(matches).map { $0.confidence >= table.threshold } ?? false
    }

    private mutating func keep(_ heard: Heard, of address: BluetoothAddress) {
        if sources[address] != nil {
            sources.use(address, default: heard) { $0 = heard }
        } else {
            candidates.use(address, default: heard) { $0 = heard }
        }
    }

    /// Says what the address is whose time to say more is over first.
    private mutating func settleFirst() {
        guard let (address, due) = settling.popFirst(), var heard = sources[address], heard.due == due else {
            return
        }
        heard.due = nil
        heard.isSettled = true
        report(address, heard, at: due)
    }

    private mutating func report(_ address: BluetoothAddress, _ heard: Heard, at now: HostInstant) {
        var heard = heard
        // What has come meanwhile may speak against it.
        if !isResting(heard, at: now), let verdict = table.verdict(heard.matches),
            verdict.confidence >= table.threshold
        {
            output.append(detection(of: address, heard, verdict))
            heard.reported = now
            (heard.strongest, heard.octets) = (.min, [])
        }
        keep(heard, of: address)
    }

    private func detection(
        of address: BluetoothAddress, _ heard: Heard, _ verdict: SignatureTable.Verdict
    ) -> Detection {
        var detection = Detection(
            type: verdict.type, label: WireText(stringLiteral: verdict.type.label), mac: address.value,
            ssid: heard.name, rssi: Int(heard.strongest),
            // Hundredths: the weights are not known better.
            confidence: Double(Int(verdict.confidence * 100 + 0.5)) / 100,
            extra: DetectionOrigin.keys(table, verdict.reasons, advertisement: heard.octets))
        // As a device with this detector would send it.
        detection.raw = detection.encoded()
        return detection
    }
}
