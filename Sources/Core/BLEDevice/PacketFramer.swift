// SPDX-License-Identifier: Apache-2.0

import BLEHCI

/// Puts events and data together from octets that come one by one.
///
/// What is longer than a device can use is passed over, and what begins with no known indicator is skipped up to one.
///
/// Spec: Core v5.4, Vol 4, Part A, 2.
struct PacketFramer: Sendable {
    /// The longest packet that is kept: data of the longest frame there may be.
    static var limit: Int { 5 + 4 + 517 }

    private var packet: [UInt8] = []
    private var expected = 0
    private var isKept = true

    /// Takes an octet.
    ///
    /// - Returns: A whole packet, if this is its last octet.
    mutating func take(_ octet: UInt8) -> [UInt8]? {
        let header = packet.first == HCI.PacketIndicator.event.rawValue ? 3 : 5
        if packet.isEmpty {
            guard octet == HCI.PacketIndicator.event.rawValue || octet == HCI.PacketIndicator.acl.rawValue
            else {
                return nil
            }
            (expected, isKept) = (0, true)
            packet.append(octet)
            return nil
        }
        if packet.count < header {
            packet.append(octet)
            guard packet.count == header else { return nil }
            expected = header == 3 ? Int(packet[2]) : packet.number(at: 3)
            isKept = header + expected <= Self.limit
        } else {
            expected -= 1
            if isKept { packet.append(octet) }
        }
        guard expected == 0 else { return nil }
        let whole = packet
        packet = []
        return isKept ? whole : nil
    }
}
