// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Testing

private func end(_ request: String) -> String { "01 \(request) 0000 0A" }

/// Runs a search through exchanges, of which the one for the hash comes first, and gives what came of it.
private func search(_ exchanges: [Exchange]) -> Result<GATT.Answer, GATTRequestError>? {
    var client = GATT.Client()
    var seen = client.start(.findServices(known: nil))
    for exchange in [("08 0100 FFFF 2A2B", end("08"))] + exchanges {
        guard seen.last == .send(hex(exchange.request)) else {
            Issue.record("wanted \(exchange.request), saw \(seen)")
            return nil
        }
        seen = client.receive(exchange.answer)
        // A repetition is held until nothing else has come for a while.
        if seen.isEmpty, let deadline = client.nextDeadline {
            client.deadlineReached(at: deadline)
            seen = client.drain()
        }
    }
    guard case .completed(1, let result)? = seen.last, !client.isBusy else {
        Issue.record("saw \(seen)")
        return nil
    }
    return result
}

private func found(
    _ services: [GATT.Service], _ faults: [GATT.DiscoveryViolation]
) -> Result<GATT.Answer, GATTRequestError> {
    .success(.found(GATT.FoundServices(services: services, faults: faults)))
}

private func service(
    _ handle: AttributeHandle, _ end: AttributeHandle, _ characteristics: [GATT.Characteristic] = []
) -> GATT.Service {
    GATT.Service(
        uuid: BluetoothUUID(0x1800), handle: handle, endHandle: end, characteristics: characteristics)
}

private func characteristic(
    _ handle: AttributeHandle, value: AttributeHandle, end: AttributeHandle,
    _ descriptors: [GATT.Descriptor] = []
) -> GATT.Characteristic {
    GATT.Characteristic(
        uuid: BluetoothUUID(0x2A00), handle: handle, valueHandle: value, endHandle: end, properties: .read,
        descriptors: descriptors)
}

private let noSecondary: Exchange = ("10 0100 FFFF 0128", end("10"))
private let noIncludes: Exchange = ("08 0100 FFFF 0228", end("08"))
private let noCharacteristics: Exchange = ("08 0100 FFFF 0328", end("08"))

/// What a server says wrongly is left out and noted, and the rest is kept.
@Suite struct FaultyDiscoveryTests {
    private static let ten: [Exchange] = [
        ("10 0100 FFFF 0028", "11 06 0100 0A00 0018"), ("10 0B00 FFFF 0028", end("10")), noSecondary,
        noIncludes,
    ]
    private static let none = GATT.Descriptor(uuid: BluetoothUUID(0x2902), handle: 4)

    @Test func `services in any order are put in order`() {
        #expect(
            search([
                ("10 0100 FFFF 0028", "11 06 0500 0600 0018 0300 0400 0018"),
                ("10 0700 FFFF 0028", end("10")),
                noSecondary, noIncludes, noCharacteristics,
            ]) == found([service(3, 4), service(5, 6)], []))
    }

    @Test func `a service that ends too late ends before the next one`() {
        #expect(
            search([
                ("10 0100 FFFF 0028", "11 06 0100 FFFF 0018 0600 0700 0018"),
                ("10 0800 FFFF 0028", end("10")),
                noSecondary, noIncludes, noCharacteristics,
            ])
                == found(
                    [service(1, 5), service(6, 7)], [.init(.services, at: 1, .badEnd(0xFFFF))]))
    }

    @Test func `a service that ends before it begins ends before the next one, too`() {
        #expect(
            search([
                ("10 0100 FFFF 0028", "11 06 0100 0000 0018"), ("10 0200 FFFF 0028", "11 06 0600 0700 0018"),
                ("10 0800 FFFF 0028", end("10")), noSecondary, noIncludes, noCharacteristics,
            ])
                == found([service(1, 5), service(6, 7)], [.init(.services, at: 1, .badEnd(0))]))
    }

    /// What a list ends with, and what is noted.
    @Test(arguments: [0x00, 0x01, 0x02, 0x05, 0x0E, 0x80] as [UInt8])
    func `a list that ends with another error ends`(_ code: UInt8) {
        func error(_ opcode: UInt8) -> String { [0x01, opcode, 0, 0, code].hexadecimal }
        let ended = GATT.DiscoveryViolation.Reason.ended(.refused(.init(rawValue: code)))
        // For descriptors, Invalid Handle may only mean that there are none.
        let isQuiet = code == 0x01
        #expect(
            search([
                ("10 0100 FFFF 0028", "11 06 0100 0A00 0018"), ("10 0B00 FFFF 0028", error(0x10)),
                ("10 0100 FFFF 0128", error(0x10)), ("08 0100 FFFF 0228", error(0x08)),
                ("08 0100 FFFF 0328", "09 07 0200 02 0300 002A"), ("08 0300 FFFF 0328", error(0x08)),
                ("04 0400 0A00", "05 01 0400 0229"), ("04 0500 0A00", error(0x04)),
            ])
                == found(
                    [service(1, 10, [characteristic(2, value: 3, end: 10, [Self.none])])],
                    [
                        .init(.services, at: 11, ended), .init(.secondaryServices, at: 1, ended),
                        .init(.includes, at: 1, ended), .init(.characteristics, at: 3, ended),
                    ] + (isQuiet ? [] : [.init(.descriptors, at: 5, ended)])))
    }

    /// How a server refuses to list secondary and included services, and what is told of either.
    @Test(arguments: [
        ("0A", false, false), ("06", false, false), ("10", false, true), ("01", true, true),
        ("02", true, true),
        ("05", true, true), ("0E", true, true), ("80", true, true),
    ])
    func `refused lists of secondary and included services are told`(
        _ code: String, _ isSecondaryTold: Bool, _ areIncludesTold: Bool
    ) {
        let ended = GATT.DiscoveryViolation.Reason.ended(.refused(.init(rawValue: octets(code)[0])))
        #expect(
            search([
                ("10 0100 FFFF 0028", "11 06 0100 0A00 0018"), ("10 0B00 FFFF 0028", end("10")),
                ("10 0100 FFFF 0128", "01 10 0100 \(code)"), ("08 0100 FFFF 0228", "01 08 0100 \(code)"),
                ("08 0100 FFFF 0328", "09 07 0200 02 0300 002A"), ("08 0300 FFFF 0328", end("08")),
                ("04 0400 0A00", end("04")),
            ])
                == found(
                    [service(1, 10, [characteristic(2, value: 3, end: 10)])],
                    (isSecondaryTold ? [.init(.secondaryServices, at: 1, ended)] : [])
                        + (areIncludesTold ? [.init(.includes, at: 1, ended)] : [])))
    }

    /// Refused, in octets that make no sense, and outside the range.
    @Test(
        arguments: [
            ("01 08 0300 0E", [.init(.characteristics, at: 3, .ended(.refused(.unlikelyError)))]),
            ("09 00", [.init(.characteristics, at: 3, .ended(.badResponse))]),
            ("09 07 0200 02 0300 002A", [.init(.characteristics, at: 2, .outOfRange)]),
        ] as [(String, [GATT.DiscoveryViolation])])
    func `characteristics of the next service are found all the same`(
        _ answer: String, _ faults: [GATT.DiscoveryViolation]
    ) {
        #expect(
            search([
                ("10 0100 FFFF 0028", "11 06 0100 0300 0018 0500 0700 0018"),
                ("10 0800 FFFF 0028", end("10")),
                noSecondary, noIncludes, ("08 0100 FFFF 0328", "09 07 0200 02 0300 002A"),
                ("08 0300 FFFF 0328", answer), ("08 0500 FFFF 0328", "09 07 0600 02 0700 002A"),
                ("08 0700 FFFF 0328", end("08")),
            ])
                == found(
                    [
                        service(1, 3, [characteristic(2, value: 3, end: 3)]),
                        service(5, 7, [characteristic(6, value: 7, end: 7)]),
                    ], faults))
    }

    @Test func `of lists whose last entry is cut short the others are kept`() {
        #expect(
            search([
                ("10 0100 FFFF 0028", "11 06 0100 0300 0018 0500 07"),
                ("10 0400 FFFF 0028", "11 06 0500 0A00 0018"), ("10 0B00 FFFF 0028", end("10")), noSecondary,
                noIncludes, ("08 0100 FFFF 0328", "09 07 0200 02 0300 002A 0600"),
                ("08 0300 FFFF 0328", "09 07 0600 02 0700 002A"), ("08 0700 FFFF 0328", end("08")),
                ("04 0800 0A00", "05 01 0800 0229 09"), ("04 0900 0A00", end("04")),
            ])
                == found(
                    [
                        service(1, 3, [characteristic(2, value: 3, end: 3)]),
                        service(
                            5, 10,
                            [
                                characteristic(
                                    6, value: 7, end: 10, [.init(uuid: BluetoothUUID(0x2902), handle: 8)])
                            ]),
                    ], []))
    }

    /// NimBLE-Arduino#170: what switches values on is found though descriptors are not listed.
    @Test(arguments: [0x01, 0x02, 0x06, 0x0E] as [UInt8])
    func `a server that lists no descriptors is asked for the one that switches`(_ code: UInt8) {
        var notifying = characteristic(2, value: 3, end: 10, [Self.none])
        notifying.properties = .notify
        let isQuiet = code == 0x01 || code == 0x06
        let ended = GATT.DiscoveryViolation.Reason.ended(.refused(.init(rawValue: code)))
        for answer in ["09 04 0400 0000", end("08")] {
            if answer == end("08") { notifying.descriptors = [] }
            #expect(
                search(
                    Self.ten + [
                        ("08 0100 FFFF 0328", "09 07 0200 10 0300 002A"), ("08 0300 FFFF 0328", end("08")),
                        ("04 0400 0A00", [0x01, 0x04, 4, 0, code].hexadecimal),
                        ("08 0400 0A00 0229", answer),
                    ])
                    == found(
                        [service(1, 10, [notifying])],
                        isQuiet ? [] : [.init(.descriptors, at: 4, ended)]))
        }
    }

    @Test func `characteristics behind a list of services that ends too early are told`() {
        let ended = GATT.DiscoveryViolation.Reason.ended(.refused(.unlikelyError))
        #expect(
            search([
                ("10 0100 FFFF 0028", "11 06 0100 0300 0018"), ("10 0400 FFFF 0028", "01 10 0400 0E"),
                noSecondary, noIncludes,
                ("08 0100 FFFF 0328", "09 07 0200 02 0300 002A 0600 02 0700 002A"),
                ("08 0700 FFFF 0328", end("08")),
            ])
                == found(
                    [service(1, 3, [characteristic(2, value: 3, end: 3)])],
                    [.init(.services, at: 4, ended), .init(.characteristics, at: 6, .noService)]))
    }

    @Test func `an answer outside the range ends the list`() {
        #expect(
            search(
                Self.ten + [
                    ("08 0100 FFFF 0328", "09 07 0200 02 0300 002A"),
                    ("08 0300 FFFF 0328", "09 07 0200 02 0300 002A"), ("04 0400 0A00", end("04")),
                ])
                == found(
                    [service(1, 10, [characteristic(2, value: 3, end: 10)])],
                    [.init(.characteristics, at: 2, .outOfRange)]))
        #expect(
            search(
                Self.ten + [
                    ("08 0100 FFFF 0328", "09 07 0200 02 0300 002A"), ("08 0300 FFFF 0328", end("08")),
                    ("04 0400 0A00", "05 01 0400 0229 0400 0129 0B00 0129 0000 0129"),
                    ("04 0500 0A00", end("04")),
                ])
                == found(
                    [service(1, 10, [characteristic(2, value: 3, end: 10, [Self.none])])],
                    [4, 11, 0].map { .init(.descriptors, at: $0, .outOfRange) }))
    }

    /// Where the value of the characteristic at 2, in a service from 1 to 5, is said to be.
    @Test(arguments: [0, 1, 2, 6, 9] as [AttributeHandle])
    func `a value where it cannot be is noted, and the others are found`(_ value: AttributeHandle) {
        let low = [UInt8(value.rawValue)].hexadecimal
        #expect(
            search([
                ("10 0100 FFFF 0028", "11 06 0100 0500 0018"), ("10 0600 FFFF 0028", end("10")), noSecondary,
                noIncludes, ("08 0100 FFFF 0328", "09 07 0200 02 \(low)00 002A 0400 02 0500 002A"),
                ("08 0500 FFFF 0328", end("08")), ("04 0300 0300", "05 01 0300 002A"),
            ])
                == found(
                    [
                        service(
                            1, 5,
                            [
                                characteristic(
                                    2, value: value, end: 3, [.init(uuid: BluetoothUUID(0x2A00), handle: 3)]),
                                characteristic(4, value: 5, end: 5),
                            ])
                    ], [.init(.characteristics, at: 2, .badValueHandle(value))]))
    }

    @Test func `declarations of a wrong length are left out`() {
        #expect(
            search([
                ("10 0100 FFFF 0028", "11 07 0100 0200 001801"),
                ("10 0300 FFFF 0028", "11 06 0300 0A00 0018"), ("10 0B00 FFFF 0028", end("10")), noSecondary,
                ("08 0100 FFFF 0228", "09 05 0400 030004"), ("08 0500 FFFF 0228", end("08")),
                ("08 0100 FFFF 0328", "09 02 0500"), ("08 0600 FFFF 0328", "09 06 0600 02 0700 00"),
                ("08 0700 FFFF 0328", end("08")),
            ])
                == found(
                    [service(3, 10)],
                    [
                        .init(.services, at: 1, .badDeclaration), .init(.includes, at: 4, .badDeclaration),
                        .init(.characteristics, at: 5, .badDeclaration),
                        .init(.characteristics, at: 6, .badDeclaration),
                    ]))
    }

    @Test func `an answer that cannot be read ends its list`() {
        #expect(
            search(Self.ten + [("08 0100 FFFF 0328", "09 00")])
                == found([service(1, 10)], [.init(.characteristics, at: 1, .ended(.badResponse))]))
        #expect(
            search([
                ("10 0100 FFFF 0028", "11 06 0100 0A00 0018"), ("10 0B00 FFFF 0028", "11 06"), noSecondary,
                noIncludes, noCharacteristics,
            ]) == found([service(1, 10)], [.init(.services, at: 11, .ended(.badResponse))]))
    }

    @Test(arguments: [
        "11 06 0000 0400 0018", "11 04 0100 0400", "11 08 0100 0400 00180000", "11 00",
    ]) func `wrong answers alone are no empty server`(_ answer: String) {
        var client = GATT.Client()
        _ = client.start(.findServices(known: nil))
        _ = client.receive("01 08 0100 0A")
        var seen = client.receive(answer)
        if seen.last == .send(hex("10 0500 FFFF 0028")) { seen = client.receive(end("10")) }
        #expect(seen.last == .completed(1, .failure(.badResponse)))
    }

    @Test func `faults are bounded`() {
        var client = GATT.Client()
        _ = client.start(.findServices(known: nil))
        _ = client.receive("01 08 0100 0A")
        for answer in ["11 06 0100 FFFF 0018", end("10"), end("08")] { _ = client.receive(answer) }
        for handle in 2...200 as ClosedRange<UInt8> {
            _ = client.receive([0x09, 7, handle, 0, 2, 0, 0, 0, 0x2A])
        }
        var seen = client.receive(end("08"))
        while case .send? = seen.last { seen = client.receive("01 04 0000 0A") }
        guard case .completed(1, .success(.found(let found)))? = seen.last else {
            Issue.record("\(seen)")
            return
        }
        #expect(found.faults.count == 32 && found.services[0].characteristics.count == 199)
    }

    @Test func `what is found when the bearer ends is kept`() {
        let answers = [
            "01 08 0100 0A", "11 06 0100 0A00 0018", end("10"), end("10"), end("08"),
            "09 07 0200 02 0300 002A 0500 02 0600 002A",
        ]
        let part = [characteristic(2, value: 3, end: 4), characteristic(5, value: 6, end: 10)]
        for (failure, end) in [(GATTRequestError.timeout, moment(30)), (.disconnected, nil)] {
            var client = GATT.Client()
            _ = client.start(.findServices(known: nil))
            for answer in answers { _ = client.receive(answer) }
            if let end { client.deadlineReached(at: end) } else { client.closed() }
            #expect(
                client.drain().first
                    == .completed(
                        1,
                        found(
                            [service(1, 10, part)],
                            [.init(.characteristics, at: 6, .ended(failure))])))
        }
    }

    @Test func `nothing is found when the bearer ends at once`() {
        for answers in [[], ["01 08 0100 0A"]] {
            var client = GATT.Client()
            _ = client.start(.findServices(known: nil))
            for answer in answers { _ = client.receive(answer) }
            client.deadlineReached(at: moment(30))
            #expect(client.drain() == [.completed(1, .failure(.timeout)), .close])
        }
    }

    @Test func `what has faults is not remembered`() {
        let services = [service(1, 10)]
        let hash = [UInt8](repeating: 7, count: 16)
        #expect(GATT.FoundServices(services: services, hash: hash).memory?.services == services)
        let fault = GATT.DiscoveryViolation(.services, at: 11, .ended(.badResponse))
        #expect(GATT.FoundServices(services: services, hash: hash, faults: [fault]).memory == nil)
    }
}
