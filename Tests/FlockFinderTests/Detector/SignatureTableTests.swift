// SPDX-License-Identifier: Apache-2.0

import BLEWire
import FlockFinder
import Testing

@Suite struct SignatureTableTests {
    @Test func theBuiltInTableKeepsTheRules() throws {
        let table = SignatureTable.builtIn
        let checked = try SignatureTable(
            name: table.name, version: table.version, threshold: table.threshold,
            signatures: table.signatures)
        #expect(checked == table)
        #expect(table.signatures.count == 71)
        for signature in table.signatures {
            #expect(!signature.source.isEmpty && !signature.version.isEmpty)
        }
    }

    @Test(arguments: [
        ("FS Ext Battery", "fs ext battery", true), ("FS Ext Battery", "FS Ext Battery 2", false),
        ("*flock*", "Flock-1", true), ("*flock*", "a FLOCK", true), ("*flock*", "floc", false),
        ("Penguin-####", "Penguin-1234", true), ("Penguin-####", "Penguin-123", false),
        ("Penguin-####", "Penguin-12345", false), ("Penguin-####", "Penguin-12a4", false),
        ("a*b*cd", "axxbcbcd", true), ("a*b*cd", "axxbcbc", false), ("*abc", "ababc", true),
        ("a\\*b\\#c", "a*b#c", true), ("a\\*b\\#c", "axb1c", false), ("äöü*", "äöüx", true),
    ])
    func shapesOfNames(shape: String, name: String, fits: Bool) throws {
        let shape = try #require(NameShape(WireText(shape)))
        #expect(shape.fits(WireText(name)) == fits)
    }

    @Test(arguments: ["", "*", "ab", "a*b", "*a*b*", "abc\\", String(repeating: "a", count: 65)])
    func shapesThatFitTooMuchOrAreNone(text: String) {
        #expect(NameShape(WireText(text)) == nil)
    }

    @Test func aShapeIsTriedInFewStepsWhateverTheName() throws {
        let shape = try #require(NameShape("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b"))
        // By trying all ways this would take longer than anybody lives.
        #expect(!shape.fits(WireText([UInt8](repeating: 0x61, count: 250))))
    }

    @Test func prefixes() throws {
        #expect(AddressPrefix(0xB41E, count: 2) == nil)
        #expect(AddressPrefix(0xB41E52, count: 7) == nil)
        #expect(AddressPrefix(0x1_B41E52, count: 3) == nil)
        let long = try #require(AddressPrefix(0xB41E_5201, count: 4))
        #expect(long.fits(BluetoothAddress(0xB41E_5201_0000, kind: .public)))
        #expect(!long.fits(BluetoothAddress(0xB41E_5202_0000, kind: .public)))
        #expect(!long.fits(BluetoothAddress(0xB41E_5201_0000, kind: .random)))
    }

    private func fault(
        threshold: Double = 0.3, _ signatures: [Signature]
    ) -> SignatureTable.Failure? {
        do throws(SignatureTable.Failure) {
            _ = try SignatureTable(name: "t", version: "1", threshold: threshold, signatures: signatures)
            return nil
        } catch {
            return error
        }
    }

    @Test func whatIsWrongIsSaid() {
        let good = Signature(.maker(1), type: .raven, weight: 0.5)
        let against = Signature(.maker(1), type: .raven, weight: -0.5)
        #expect(fault([good, against]) == nil)
        #expect(fault([]) == .badCount)
        #expect(fault(Array(repeating: good, count: 1001)) == .badCount)
        for threshold in [0, -1, 1.01, .nan, .infinity] {
            #expect(fault(threshold: threshold, [good]) == .badThreshold)
        }
        for weight in [0, 1.01, -1.01, .nan, .infinity] {
            #expect(fault([good, Signature(.maker(2), type: .raven, weight: weight)]) == .badWeight(1))
        }
        #expect(fault([good, Signature(.maker(2), type: nil, weight: 0.1)]) == .missingType(1))
        #expect(fault([good, against, good]) == .repeated(2, first: 0))
        #expect(fault([against]) == .nothingToFind)
        let long = WireText([UInt8](repeating: 0x61, count: 201))
        #expect(fault([Signature(.maker(1), type: .raven, weight: 0.5, source: long)]) == .longText(0))
    }

    @Test func confidenceAddsUpInAnyOrderAndNeverBeyondOne() throws {
        let table = try SignatureTable(
            name: "t", version: "1", threshold: 0.01,
            signatures: [
                Signature(.maker(1), type: .raven, weight: 0.4),
                Signature(.maker(2), type: .raven, weight: 0.5),
                Signature(.maker(3), type: nil, weight: -0.8),
                Signature(.name(try #require(NameShape("raven*"))), type: .raven, weight: 0.6),
                Signature(.name(try #require(NameShape("*ven*"))), type: .raven, weight: 0.9),
            ])
        let cases: [([UInt16], String?, Double)] = [
            ([1], nil, 0.4), ([1, 2], nil, 0.7), ([2, 1], nil, 0.7), ([1, 2, 3], nil, 0.14),
            // Of two shapes only the stronger counts.
            ([], "raven 1", 0.9), ([1], "raven 1", 0.94),
        ]
        for (makers, name, confidence) in cases {
            var bench = DetectorBench(table)
            let octets = makers.flatMap { [3, 0xFF, UInt8($0), 0] as [UInt8] }
            _ = bench.hear(octets + advertising(name), from: randomAddress(1))
            let said = bench.wait(milliseconds: 1000).map(\.confidence)
            #expect(said == [confidence], "\(makers) \(name ?? "")")
        }
    }
}
