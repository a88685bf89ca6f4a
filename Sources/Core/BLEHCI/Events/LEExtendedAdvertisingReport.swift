// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// What an extended advertising report reports.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.13.
    public struct ExtendedReportType: OptionSet, Hashable, Sendable {
        /// The two octets on the wire.
        public let rawValue: UInt16

        /// Wraps the octets.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The sender accepts links.
        public static let connectable = ExtendedReportType(rawValue: 1 << 0)
        /// The sender answers scan requests.
        public static let scannable = ExtendedReportType(rawValue: 1 << 1)
        /// It is meant for one receiver.
        public static let directed = ExtendedReportType(rawValue: 1 << 2)
        /// It is the answer to a scan request.
        public static let scanResponse = ExtendedReportType(rawValue: 1 << 3)
        /// It came in a PDU of legacy advertising.
        public static let legacy = ExtendedReportType(rawValue: 1 << 4)
        /// More of the data follows in another report.
        public static let moreToCome = ExtendedReportType(rawValue: 1 << 5)
        /// The rest of the data was lost.
        public static let truncated = ExtendedReportType(rawValue: 1 << 6)
    }

    /// One advertisement, from a controller with extended advertising.
    ///
    /// | offset | size | field                                            |
    /// |--------|------|--------------------------------------------------|
    /// | 0      | 2    | event type and data status                       |
    /// | 2      | 7    | kind of the address, address                     |
    /// | 9      | 2    | primary and secondary PHY                        |
    /// | 11     | 1    | advertising set; 0xFF when there is none         |
    /// | 12     | 1    | transmit power, dBm; 127 when it is not known    |
    /// | 13     | 1    | RSSI, dBm; 127 when it is not known              |
    /// | 14     | 2    | interval of periodic advertising, units of 1.25 ms |
    /// | 16     | 7    | kind of the target's address, address            |
    /// | 23     | 1    | length of the data                               |
    /// | 24     | n    | data                                             |
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.13.
    public struct ExtendedAdvertisingReport: Parameters, Hashable {
        /// What it reports.
        public var type: ExtendedReportType
        /// Who sent it.
        public var address: BluetoothAddress
        /// Whether the address is an identity that the controller has resolved.
        public var isIdentity: Bool
        /// On which PHY it was announced.
        public var primaryPHY: PHY
        /// On which PHY the data came; 0 when there was no other packet.
        public var secondaryPHY: PHY
        /// The advertising set; 0xFF when there is none.
        public var advertisingSet: UInt8
        /// The transmit power in dBm.
        public var txPower: Int8?
        /// The strength in dBm.
        public var rssi: Int8?
        /// The interval of periodic advertising, in units of 1.25 ms; 0 when there is none.
        public var periodicInterval: UInt16
        /// For whom it is meant: kind and address as they travel; only with `directed`.
        public var target: [UInt8]
        /// The advertising data, or a part of it.
        public var data: [UInt8]

        /// Makes a report on LE 1M outside any set.
        public init(type: ExtendedReportType, address: BluetoothAddress, data: [UInt8], rssi: Int8?) {
            self.type = type
            self.address = address
            self.data = data
            self.rssi = rssi
            isIdentity = false
            primaryPHY = .le1M
            secondaryPHY = PHY(rawValue: 0)
            advertisingSet = 0xFF
            txPower = nil
            periodicInterval = 0
            target = [UInt8](repeating: 0, count: 7)
        }

        /// Reads a report; its data must be there.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            type = ExtendedReportType(rawValue: try reader.readUInt16())
            (address, isIdentity) = try HCI.readPeer(&reader)
            primaryPHY = PHY(rawValue: try reader.readUInt8())
            secondaryPHY = PHY(rawValue: try reader.readUInt8())
            advertisingSet = try reader.readUInt8()
            txPower = try HCI.readRSSI(&reader)
            rssi = try HCI.readRSSI(&reader)
            periodicInterval = try reader.readUInt16()
            target = try reader.readOctets(7)
            let offset = reader.offset
            let count = Int(try reader.readUInt8())
            guard count <= reader.remaining else { throw DecodeError(.badLength(count), at: offset) }
            data = try reader.readOctets(count)
        }

        /// Appends the report.
        public func encode(into writer: inout ByteWriter) {
            writer.write(type.rawValue)
            HCI.writeAddress(address, isIdentity: isIdentity, into: &writer)
            writer.write(primaryPHY.rawValue)
            writer.write(secondaryPHY.rawValue)
            writer.write(advertisingSet)
            HCI.writeRSSI(txPower, into: &writer)
            HCI.writeRSSI(rssi, into: &writer)
            writer.write(periodicInterval)
            writer.write(target)
            writer.write(UInt8(truncatingIfNeeded: data.count))
            writer.write(data)
        }

        /// What kind of advertisement it is in the terms of legacy advertising.
        public var legacyEventType: AdvertisingReportType {
            if type.contains(.scanResponse) { return .scanResponse }
            if type.contains(.connectable) {
                return type.contains(.directed) ? .connectableDirected : .connectableUndirected
            }
            return type.contains(.scannable) ? .scannableUndirected : .nonConnectableUndirected
        }

        /// The same in the terms of legacy advertising.
        public var legacy: AdvertisingReport {
            AdvertisingReport(
                eventType: legacyEventType, address: address, isIdentity: isIdentity, data: data, rssi: rssi)
        }
    }

    /// LE Extended Advertising Report: advertisers were heard.
    ///
    /// | offset | size | field                 |
    /// |--------|------|-----------------------|
    /// | 0      | 1    | number of reports, 1…10 |
    /// | 1      | n    | reports               |
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.13.
    public struct LEExtendedAdvertisingReport: Parameters, Hashable {
        /// At least one report.
        public var reports: [ExtendedAdvertisingReport]

        /// Makes an event.
        public init(reports: [ExtendedAdvertisingReport]) { self.reports = reports }

        /// Reads the reports; the count must be right.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            let offset = reader.offset
            let count = Int(try reader.readUInt8())
            // A report without data has 24 octets.
            guard (1...10).contains(count), count * 24 <= reader.remaining else {
                throw DecodeError(.badLength(count), at: offset)
            }
            reports = []
            for _ in 0..<count { reports.append(try ExtendedAdvertisingReport(decoding: &reader)) }
        }

        /// Appends the reports.
        public func encode(into writer: inout ByteWriter) {
            writer.write(UInt8(truncatingIfNeeded: reports.count))
            for report in reports { report.encode(into: &writer) }
        }
    }
}
