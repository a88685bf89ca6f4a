// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// What kind of advertisement was heard.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.2.
    public struct AdvertisingReportType: RawRepresentable, Hashable, Sendable {
        /// The code on the wire.
        public let rawValue: UInt8

        /// Wraps a code.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Anyone may connect: ADV_IND.
        public static let connectableUndirected = AdvertisingReportType(rawValue: 0)
        /// One peer may connect: ADV_DIRECT_IND.
        public static let connectableDirected = AdvertisingReportType(rawValue: 1)
        /// Anyone may ask for a scan response: ADV_SCAN_IND.
        public static let scannableUndirected = AdvertisingReportType(rawValue: 2)
        /// Nobody may answer: ADV_NONCONN_IND.
        public static let nonConnectableUndirected = AdvertisingReportType(rawValue: 3)
        /// The answer to a scan request: SCAN_RSP.
        public static let scanResponse = AdvertisingReportType(rawValue: 4)
    }

    /// One advertisement or scan response that was heard.
    ///
    /// | offset | size | field        |
    /// |--------|------|--------------|
    /// | 0      | 1    | event type   |
    /// | 1      | 1    | address type |
    /// | 2      | 6    | address      |
    /// | 8      | 1    | data length  |
    /// | 9      | n    | data         |
    /// | 9 + n  | 1    | RSSI         |
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.2.
    public struct AdvertisingReport: Parameters, Hashable {
        /// What kind it is.
        public var eventType: AdvertisingReportType
        /// Who advertises.
        public var address: BluetoothAddress
        /// Whether the controller resolved a private address to this identity.
        public var isIdentity: Bool
        /// AD structures; 0 to 31 octets, but whatever the controller gave is kept.
        public var data: [UInt8]
        /// Strength in dBm; `nil` when it is not available.
        public var rssi: Int8?

        /// Makes a report.
        public init(
            eventType: AdvertisingReportType, address: BluetoothAddress, isIdentity: Bool = false,
            data: [UInt8], rssi: Int8?
        ) {
            self.eventType = eventType
            self.address = address
            self.isIdentity = isIdentity
            self.data = data
            self.rssi = rssi
        }

        /// Reads one report.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            eventType = AdvertisingReportType(rawValue: try reader.readUInt8())
            (address, isIdentity) = try HCI.readPeer(&reader)
            let offset = reader.offset
            let count = Int(try reader.readUInt8())
            guard count < reader.remaining else { throw DecodeError(.badLength(count), at: offset) }
            data = try reader.readOctets(count)
            rssi = try HCI.readRSSI(&reader)
        }

        /// Appends one report.
        public func encode(into writer: inout ByteWriter) {
            writer.write(eventType.rawValue)
            HCI.writeAddress(address, isIdentity: isIdentity, into: &writer)
            writer.write(UInt8(truncatingIfNeeded: data.count))
            writer.write(data)
            HCI.writeRSSI(rssi, into: &writer)
        }
    }

    /// Advertisements that were heard.
    ///
    /// The specification lists the fields as arrays; controllers send one whole report after the other,
    /// and hosts read them so.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.65.2.
    public struct LEAdvertisingReport: Parameters, Hashable {
        /// The reports; 1 to 25.
        public var reports: [AdvertisingReport]

        /// Makes the event.
        public init(reports: [AdvertisingReport]) { self.reports = reports }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            let offset = reader.offset
            let count = Int(try reader.readUInt8())
            // A report without data has ten octets.
            guard (1...0x19).contains(count), count * 10 <= reader.remaining else {
                throw DecodeError(.badLength(count), at: offset)
            }
            reports = []
            reports.reserveCapacity(count)
            for _ in 0..<count { reports.append(try AdvertisingReport(decoding: &reader)) }
        }

        /// The report of an event that has only one, as nearly all have, without an array around it.
        ///
        /// - Parameters:
        ///   - code: Which event.
        ///   - parameters: All its parameters.
        /// - Returns: The report; `nil` for what ``HCI/Event/init(code:parameters:)-(_,RawSpan)`` has to read.
        public static func onlyReport(_ code: EventCode, _ parameters: RawSpan) -> AdvertisingReport? {
            guard code == .leMeta else { return nil }
            var reader = ByteReader(parameters)
            do throws(DecodeError) {
                guard LESubeventCode(rawValue: try reader.readUInt8()) == .advertisingReport,
                    try reader.readUInt8() == 1
                else { return nil }
                let report = try AdvertisingReport(decoding: &reader)
                return reader.isAtEnd ? report : nil
            } catch {
                return nil
            }
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(UInt8(truncatingIfNeeded: reports.count))
            for report in reports { report.encode(into: &writer) }
        }
    }
}
