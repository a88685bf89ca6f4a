// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

@testable import BLEDevice

@Suite("The table of a small host has the attributes of a database") struct AttributeTableTests {
    private func compare(_ services: [GATT.ServiceDefinition]) {
        let table = AttributeTable(services)
        let database = GATT.Database(services)
        #expect(table.rows.count == Int(database.attributes.last?.handle.rawValue ?? 0))
        for handle in 1...max(1, table.rows.count) {
            let attribute = database.attribute(AttributeHandle(rawValue: UInt16(handle)))
            let row = table[handle]
            #expect((row == nil) == (attribute == nil), "\(handle)")
            guard let row, let attribute else { continue }
            #expect(table.type(of: row) == attribute.type, "\(handle)")
            #expect((row.isService ? table.groupEnd(of: handle) : handle) == Int(attribute.groupEnd.rawValue))
            #expect(
                row.access(.read) == attribute.access.read && row.access(.write) == attribute.access.write)
            switch attribute.content {
            case .constant(let octets): #expect(table.octets(of: handle, row) == octets, "\(handle)")
            case .value(let properties, .stored(let octets)):
                #expect(row.kind == .stored && row.properties == properties, "\(handle)")
                #expect(table.octets(of: handle, row) == octets, "\(handle)")
            case .value(let properties, .delegated):
                #expect(row.kind == .delegated && row.properties == properties, "\(handle)")
            case .clientConfiguration(let value, let properties):
                #expect(row.kind == .clientConfiguration && Int(value.rawValue) == handle - 1)
                #expect(row.properties == properties)
            case .clientFeatures: #expect(row.kind == .clientFeatures)
            }
        }
        for uuid in services.dropFirst().flatMap(\.characteristics).map(\.uuid) {
            #expect(table.valueHandles[uuid] == database.valueHandle(of: uuid))
            #expect(database.valueHandles[uuid] == database.valueHandle(of: uuid))
        }
    }

    @Test(arguments: 0..<200) func itIsLaidOutAlike(seed: UInt64) { compare(Values.services(seed)) }

    @Test func nothingIsLaidOut() { compare([]) }

    @Test func aRowHasFourOctets() {
        #expect(MemoryLayout<AttributeTable.Row>.size == 4 && MemoryLayout<AttributeTable.Row>.stride == 4)
    }
}
