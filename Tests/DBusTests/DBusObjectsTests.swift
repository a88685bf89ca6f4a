// SPDX-License-Identifier: Apache-2.0

import DBus
import Testing

@Suite("The mirror of a service's objects")
struct DBusObjectsTests {
    private static let thing = "org.example.Thing"

    private static func names(_ entries: [String: DBusValue], of type: String) -> DBusValue {
        .dictionary(Dictionary(entries.map { (.string($0.key), $0.value) }) { $1 }, key: "s", value: type)
    }

    private static func interfaces(_ properties: [String: DBusValue]) -> DBusValue {
        names([thing: .options(properties)], of: "a{sv}")
    }

    private static func listed() throws -> DBusObjects {
        let objects: [DBusValue: DBusValue] = [.path("/a"): interfaces(["Size": .uint16(7)])]
        return try DBusObjects(answer: [.dictionary(objects, key: "o", value: "a{sa{sv}}")])
    }

    private static func signal(_ name: String, _ arguments: [DBusValue], path: String = "/") -> DBusSignal {
        let kind = name == "PropertiesChanged" ? "Properties" : "ObjectManager"
        return DBusSignal(
            path: path, interface: "org.freedesktop.DBus.\(kind)", name: name, arguments: arguments)
    }

    @Test("knows what was listed, without variants")
    func lists() throws {
        #expect(try Self.listed().properties("/a", Self.thing) == ["Size": .uint16(7)])
    }

    @Test("learns of objects that come, change and go")
    func changes() throws {
        var objects = try Self.listed()
        let added = try objects.apply(
            Self.signal("InterfacesAdded", [.path("/b"), Self.interfaces(["Size": .uint16(1)])]))
        #expect(added == [.added(path: "/b", interface: Self.thing)])
        #expect(objects.all(Self.thing).map(\.path) == ["/a", "/b"])

        let news: [DBusValue] = [
            .string(Self.thing), .options(["Size": .uint16(2), "Name": .string("n")]), .array([], of: "s"),
        ]
        let changed = try objects.apply(Self.signal("PropertiesChanged", news, path: "/b"))
        #expect(
            changed == [
                .changed(path: "/b", interface: Self.thing, ["Size": .uint16(2), "Name": .string("n")])
            ])
        let gone: [DBusValue] = [.string(Self.thing), .options([:]), .array([.string("Name")], of: "s")]
        _ = try objects.apply(Self.signal("PropertiesChanged", gone, path: "/b"))
        #expect(objects.properties("/b", Self.thing) == ["Size": .uint16(2)])

        let removed = try objects.apply(
            Self.signal(
                "InterfacesRemoved", [.path("/b"), .array([.string(Self.thing), .string("other")], of: "s")]))
        #expect(removed == [.removed(path: "/b", interface: Self.thing)])
        #expect(objects.objects.keys.sorted() == ["/a"])
    }

    @Test("changes of objects that were not listed are nothing")
    func unknown() throws {
        var objects = try Self.listed()
        let news: [DBusValue] = [.string("org.example.Other"), .options([:]), .array([], of: "s")]
        #expect(try objects.apply(Self.signal("PropertiesChanged", news, path: "/a")) == [])
        #expect(try objects == Self.listed())
    }

    @Test(
        "refuses what is of another type, and stays as it was",
        arguments: [
            ("InterfacesAdded", [DBusValue.path("/b")]),
            ("InterfacesAdded", [.uint32(1), .options([:])]),
            ("InterfacesAdded", [.path("/b"), .array([], of: "s")]),
            ("InterfacesAdded", [.path("/b"), .options(["x": .uint32(1)])]),
            ("InterfacesRemoved", [.path("/a"), .string("org.example.Thing")]),
            ("InterfacesRemoved", [.path("/a"), .array([.uint32(1)], of: "u")]),
            ("PropertiesChanged", [.string("org.example.Thing"), .string(""), .array([], of: "s")]),
            ("PropertiesChanged", []),
        ] as [(String, [DBusValue])])
    func refuses(name: String, arguments: [DBusValue]) throws {
        var objects = try Self.listed()
        #expect(throws: DBusError.self) {
            try objects.apply(Self.signal(name, arguments, path: "/a"))
        }
        #expect(try objects == Self.listed())
    }

    @Test("refuses a list that is none")
    func refusesLists() {
        for answer in [[], [.uint32(1)], [.options(["/a": .string("x")])]] as [[DBusValue]] {
            #expect(throws: DBusError.self) { try DBusObjects(answer: answer) }
        }
    }
}
