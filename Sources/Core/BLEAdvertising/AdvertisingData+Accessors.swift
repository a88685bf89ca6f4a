// SPDX-License-Identifier: Apache-2.0

public import BLEWire

// What programs ask for most; each walks the octets and copies only what it gives.
extension AdvertisingData {
    /// The flags, if they are there.
    ///
    /// Spec: CSS v11, Part A, 1.3.
    public var flags: AdvertisingFlags? {
        range(of: .flags).map { range in
            AdvertisingFlags(rawValue: range.isEmpty ? 0 : octets[range.lowerBound])
        }
    }

    /// The name: the whole one, else its beginning; without NULs and blanks at its end.
    ///
    /// Spec: CSS v11, Part A, 1.2.
    public var name: WireText? {
        let span = octets.octetSpan
        var cursor = Cursor()
        var beginning: Range<Int>?
        while let structure = cursor.next(in: span) {
            if structure.type == .completeLocalName, let name = WireText(name: copy(structure.range)) {
                return name
            }
            if structure.type == .shortenedLocalName, beginning == nil { beginning = structure.range }
        }
        return beginning.flatMap { WireText(name: copy($0)) }
    }

    /// The name.
    @available(*, deprecated, renamed: "name")
    public var localName: WireText? { name }

    /// The transmit power in dBm.
    ///
    /// Spec: CSS v11, Part A, 1.5.
    public var txPower: Int8? { octet(of: .txPowerLevel).map { Int8(bitPattern: $0) } }

    /// The appearance.
    ///
    /// Spec: CSS v11, Part A, 1.12.
    public var appearance: UInt16? {
        guard let range = range(of: .appearance), range.count == 2 else { return nil }
        return short(at: range.lowerBound)
    }

    /// All service UUIDs in the order in which they stand; each once.
    ///
    /// Of a list whose length is no multiple of its UUIDs' width, what fits is kept.
    ///
    /// Spec: CSS v11, Part A, 1.1.
    public var services: [BluetoothUUID] {
        var uuids: [BluetoothUUID] = []
        let span = octets.octetSpan
        var cursor = Cursor()
        while let structure = cursor.next(in: span) {
            guard let width = structure.type.serviceListWidth else { continue }
            var start = structure.range.lowerBound
            while structure.range.upperBound &- start >= width.octetCount {
                let uuid = uuid(at: start, width)
                start &+= width.octetCount
                if !uuids.contains(uuid) { uuids.add(uuid) }
            }
        }
        return uuids
    }

    /// Data of companies, in the order in which they stand.
    ///
    /// Spec: CSS v11, Part A, 1.4.
    public var manufacturerData: [ManufacturerData] {
        var found: [ManufacturerData] = []
        let span = octets.octetSpan
        var cursor = Cursor()
        while let structure = cursor.next(in: span) {
            guard structure.type == .manufacturerSpecific, structure.range.count >= 2 else { continue }
            let start = structure.range.lowerBound
            found.add(
                ManufacturerData(
                    company: short(at: start), data: copy((start &+ 2)..<structure.range.upperBound)))
        }
        return found
    }

    /// Data of services, in the order in which they stand.
    ///
    /// Spec: CSS v11, Part A, 1.11.
    public var serviceData: [ServiceData] {
        var found: [ServiceData] = []
        let span = octets.octetSpan
        var cursor = Cursor()
        while let structure = cursor.next(in: span) {
            guard let width = structure.type.serviceDataWidth, structure.range.count >= width.octetCount
            else { continue }
            let start = structure.range.lowerBound
            found.add(
                ServiceData(
                    uuid: uuid(at: start, width),
                    data: copy((start &+ width.octetCount)..<structure.range.upperBound)))
        }
        return found
    }

    /// Two octets, least significant first.
    @inline(__always)
    private func short(at offset: Int) -> UInt16 {
        UInt16(octets[offset]) | UInt16(octets[offset &+ 1]) &<< 8
    }

    /// The UUID at an offset; all of its octets are there.
    @inline(__always)
    private func uuid(at offset: Int, _ width: UUIDWidth) -> BluetoothUUID {
        func number(_ count: Int, at offset: Int) -> UInt64 {
            var number: UInt64 = 0
            for index in 0..<count { number |= UInt64(octets[offset &+ index]) &<< UInt64(index &* 8) }
            return number
        }
        switch width {
        case .bits16: return BluetoothUUID(short(at: offset))
        case .bits32: return BluetoothUUID(short32: UInt32(truncatingIfNeeded: number(4, at: offset)))
        case .bits128: return BluetoothUUID(high: number(8, at: offset &+ 8), low: number(8, at: offset))
        }
    }

    private func copy(_ range: Range<Int>) -> [UInt8] {
        var reader = ByteReader(octets.octetSpan.bytes.extracting(range))
        return reader.readRemaining()
    }
}

extension Array {
    /// Appends; to make an array of one is much faster than to let an empty one grow, and most stay at one.
    @inline(__always)
    fileprivate mutating func add(_ element: Element) {
        if isEmpty { self = [element] } else { append(element) }
    }
}
