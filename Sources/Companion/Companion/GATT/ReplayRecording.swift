// SPDX-License-Identifier: Apache-2.0

package import BLEGATT
package import BLEWire

/// Values that a device sent while somebody watched, to be sent again with the same timing.
package struct ReplayRecording: Sendable {
    /// One value.
    package struct Line: Hashable, Sendable {
        package let handle: AttributeHandle
        package let value: [UInt8]
        package let kind: GATT.ValueKind
        /// How long after the first value of its handle.
        package let after: Duration
    }

    private let lines: [AttributeHandle: [Line]]

    /// Nothing was recorded.
    package init() { lines = [:] }

    /// Reads a recording.
    ///
    /// - Parameters:
    ///   - jsonLines: Lines as `gatt watch --output` writes them. Without `time` a line follows at once, or
    ///     `after_ms` milliseconds after the line before of the same handle.
    ///   - device: The device whose values they are.
    /// - Throws: ``JSONDecodingError``.
    package init(jsonLines: [UInt8], of device: ReplayDevice) throws(JSONDecodingError) {
        var lines: [AttributeHandle: [Line]] = [:]
        var starts: [AttributeHandle: Int64] = [:]
        let pieces = jsonLines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, piece) in pieces.enumerated() where piece.contains(where: { $0 > 0x20 }) {
            let node = try JSONReader.read(Array(piece), line: index + 1)
            // Recordings of before have events `value`, and octets under that key.
            guard
                try node.member("event").map({
                    ["value_received", "value"].map { .text($0) }.contains($0.value)
                })
                    ?? true
            else { continue }
            let handle = try Self.handle(of: node, device)
            let before = lines[handle]?.last?.after ?? .zero
            var after = before
            if let time = try node.member("time") {
                guard let moment = Timestamp(try time.text("the time")) else {
                    throw JSONDecodingError(index + 1, "the time must be as in 2026-11-21T14:03:32.123Z")
                }
                let start = starts[handle] ?? moment.milliseconds
                starts[handle] = start
                // A clock that was set back meanwhile must not bring the values out of order.
                after = max(before, .milliseconds(moment.milliseconds - start))
            } else if let pause = try node.member("after_ms") {
                after += .milliseconds(try pause.number("\"after_ms\"", in: 0...86_400_000))
            }
            let octets: JSONNode
            if let value = try node.member("value") {
                octets = value
            } else {
                octets = try node.needed("octets")
            }
            lines[handle, default: []].append(
                Line(
                    handle: handle,
                    value: try octets.octets("a value", atMost: ATT.maximumValueLength),
                    kind: try node.kind(), after: after))
        }
        self.lines = lines
    }

    /// What was recorded of a value.
    package func lines(of handle: AttributeHandle) -> [Line] { lines[handle] ?? [] }

    private static func handle(of node: JSONNode, _ device: ReplayDevice) throws(JSONDecodingError)
        -> AttributeHandle
    {
        let uuid: BluetoothUUID? = try node.member("uuid")?.uuid("a characteristic")
        if let member = try node.member("handle") {
            let handle = AttributeHandle(rawValue: UInt16(try member.number("a handle", in: 1...0xFFFF)))
            let there = device.database.attribute(handle)
            if case .value? = there?.content, uuid == nil || uuid == there?.type { return handle }
            // A system that keeps handles to itself made them up, or other firmware has others.
            let same = device.database.attributes.filter { $0.type == uuid }
            if same.count == 1 { return same[0].handle }
            let what = uuid.map { "characteristic \($0)" } ?? "value"
            let elsewhere = same.isEmpty ? "" : ", and several elsewhere"
            throw JSONDecodingError(node.line, "the device has no \(what) at \(handle.text)\(elsewhere)")
        }
        let named = try node.needed("uuid").uuid("a characteristic")
        guard let handle = device.database.valueHandle(of: named) else {
            throw JSONDecodingError(node.line, "the device has no characteristic \(named)")
        }
        return handle
    }
}

extension JSONNode {
    fileprivate func kind() throws(JSONDecodingError) -> GATT.ValueKind {
        switch try member("kind")?.text("the kind") ?? "notify" {
        case "notify": .notify
        case "indicate": .indicate
        default: throw JSONDecodingError(line, "the kind must be \"notify\" or \"indicate\"")
        }
    }
}
