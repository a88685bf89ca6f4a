// SPDX-License-Identifier: Apache-2.0

#if hasFeature(Embedded)

// In a page the tables are no part of the program: they are as large as a third of it, and most of what is shown needs none.
// Scripts/build-web makes one file of them.

extension NameTable {
    // A page has one thread.
    nonisolated(unsafe) fileprivate static var fetched: [(key: [UInt8], table: NameTable)] = []

    private static func table(_ key: StaticString) -> NameTable {
        unsafe fetched.first { table in key.withUTF8Buffer { table.key.elementsEqual($0) } }?.table
            ?? NameTable(text: [])
    }

    static var advertisingTypes: NameTable { table("advertisingTypes") }
    static var appearances: NameTable { table("appearances") }
    static var characteristics: NameTable { table("characteristics") }
    static var companies: NameTable { table("companies") }
    static var descriptors: NameTable { table("descriptors") }
    static var schemesOfURIs: NameTable { table("schemesOfURIs") }
    static var services: NameTable { table("services") }
    static var units: NameTable { table("units") }
    static var unitSymbols: NameTable { table("unitSymbols") }
    static var valueFormats: NameTable { table("valueFormats") }
}

extension AssignedNumbers {
    /// Takes the tables that a page has fetched; names are there from then on.
    ///
    /// - Parameter text: The tables one after the other, each behind a line with `#` and its name.
    public static func load(_ text: [UInt8]) {
        var tables: [(key: [UInt8], table: NameTable)] = []
        for part in text.split(separator: UInt8(ascii: "#")) {
            guard let end = part.firstIndex(of: UInt8(ascii: "\n")) else { continue }
            tables.append((Array(part[..<end]), NameTable(text: Array(part[(end + 1)...].dropLast()))))
        }
        unsafe NameTable.fetched = tables
    }
}

#endif
