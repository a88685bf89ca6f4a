// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import Fuzzing

/// Everything that can be asked of advertising data; and what can be built again must be the same.
func fuzzAdvertisingData(_ input: [UInt8], _ trace: FuzzTrace) throws(Broken) {
    let data = AdvertisingData(input)
    var builder = AdvertisingDataBuilder(limit: input.count)
    var last = 0
    for structure in data {
        try check(
            structure.range.lowerBound == last + 2 && structure.range.upperBound <= input.count,
            "structures follow each other")
        last = structure.range.upperBound
        guard structure.range.count <= 254 else { continue }
        do throws(AdvertisingDataBuilder.Overflow) {
            try builder.append(structure.type, Array(data.data(of: structure)))
        } catch {
            try check(false, "what was read can be built")
        }
    }
    try check(builder.octets == Array(input[..<last]), "what is built is what was read")
    if let fault = data.fault {
        try check(fault == last && fault < input.count, "the fault is where the reading ended")
    } else {
        try check(input[last...].first ?? 0 == 0, "no fault where zeros begin")
    }
    for uuid in data.services {
        try check(uuid.attributeTypeWidth == 2 || uuid.attributeTypeWidth == 16, "a UUID")
    }
    for item in data.manufacturerData { try check(item.data.count < input.count, "data from the input") }
    for item in data.serviceData { try check(item.data.count < input.count, "data from the input") }
    try check((data.name?.octets.count ?? 0) <= 254, "a name has at most 254 octets")
    trace.add(data.flags?.rawValue ?? 0)
    trace.add(data.txPower ?? 127)
    trace.add(data.appearance ?? 0)
    trace.add(data.fault ?? -1)
    let whole = data.faults.filter { $0.type != nil }.count + data.elements.count
    try check(whole == data.reduce(0) { count, _ in count + 1 }, "every structure is an element or a fault")
    for element in data.elements {
        var writer = ByteWriter()
        element.encode(into: &writer)
        try check(writer.octets.count <= 254, "an element fits a structure")
        trace.add(writer.octets)
    }
    if let name = data.name {
        var small = AdvertisingDataBuilder()
        // Of a long one the beginning is sent, which may have nothing but blanks.
        if (try? small.appendName(name)) != nil, name.octets.first != 0, name.octets.first != 0x20 {
            try check(AdvertisingData(small.octets).name != nil, "a name that was built is there")
        }
        try check(small.octets.count <= 31, "the limit is kept")
    }
}
