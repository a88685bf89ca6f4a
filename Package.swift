// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// A product: the folder `Sources/Products/<name>` with its protocol (`Kit`) and what it adds to other modules.
struct Product {
    let name: String
    /// `Simulated` goes into SimulatedDevices, `Companion`, `Text` and `Devices` into Companion, CompanionText and
    /// CompanionDevices, `Commands` into LanternCommands, `Fuzz` into FuzzTargets; `Link` is for Scripts/check-embedded.
    let parts: [String]

    init(_ name: String, without missing: Set<String> = []) {
        self.name = name
        parts = ["Simulated", "Companion", "Text", "Devices", "Commands", "Link", "Fuzz"]
            .filter { !missing.contains($0) }
    }
}

let products = [
    Product("FlockFinder"),
    Product("WiFiSet"),
    Product("Improv"),
    Product("Nightlight"),
    Product("LEDBulb"),
    Product("OverflowArea", without: ["Link"]),
]

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Core and Kits also build as Embedded Swift; the compiler refuses here what it would refuse there.
let embeddedClean: [SwiftSetting] = strict + [.treatWarning("EmbeddedRestrictions", as: .error)]

/// A target of one layer, at `Sources/<layer>/<name>`.
func layer(
    _ folder: String, _ name: String, _ dependencies: [Target.Dependency] = [],
    _ settings: [SwiftSetting] = strict, resources: [Resource]? = nil
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", resources: resources,
        swiftSettings: settings)
}

/// The target of a product's protocol, both ends of it.
func kit(_ product: Product) -> Target {
    .target(
        name: product.name, dependencies: ["BLEWire", "WireJSON", "BLEAdvertising", "BLEGATT"],
        path: "Sources/Products/\(product.name)/Kit", swiftSettings: embeddedClean)
}

/// A target of one layer and what the products add to it, at `Sources/Products/<product>/<part>`.
///
/// Everything else has to be excluded by name, so `siblings` are the folders of its layer.
func gathered(
    _ folder: String, _ name: String, part: String, siblings: [String], _ dependencies: [Target.Dependency],
    _ settings: [SwiftSetting] = strict
) -> Target {
    let folders = products.flatMap { product in
        (["Kit"] + product.parts).map { "Products/\(product.name)/\($0)" }
    }
    let isMine = { (folder: String) in folder.hasSuffix("/\(part)") }
    return .target(
        name: name, dependencies: dependencies, path: "Sources",
        exclude: layers.filter { $0 != folder } + siblings.filter { $0 != name }.map { "\(folder)/\($0)" }
            + folders.filter { !isMine($0) },
        sources: ["\(folder)/\(name)"] + folders.filter(isMine), swiftSettings: settings)
}

/// The folders of `Sources` beside `Products`.
let layers = ["Core", "Edges", "Simulation", "Companion", "Hub", "Tools", "Fuzzing", "Web"]

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude,
        swiftSettings: strict)
}

/// A product of another package, which only a trait needs.
func library(_ name: String, from package: String, trait: String = "Hub") -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: [trait]))
}

let grdb = library("GRDB", from: "GRDB.swift")
let argumentParser = library("ArgumentParser", from: "swift-argument-parser")
let serviceLifecycle = library("ServiceLifecycle", from: "swift-service-lifecycle")
let configuration = library("Configuration", from: "swift-configuration")
let nioCore = library("NIOCore", from: "swift-nio")
let nioPosix = library("NIOPosix", from: "swift-nio")

let core: [Target] = [
    // Only the module that declares the ~Escapable reader needs the Lifetimes feature.
    layer("Core", "BLEWire", [], embeddedClean + [.enableExperimentalFeature("Lifetimes")]),
    layer("Core", "WireJSON", [], embeddedClean),
    layer("Core", "BLEHCI", ["BLEWire"], embeddedClean),
    layer("Core", "BLEAdvertising", ["BLEWire"], embeddedClean),
    layer("Core", "BLEL2CAP", ["BLEWire"], embeddedClean),
    layer("Core", "BLEATT", ["BLEWire"], embeddedClean),
    layer("Core", "BLESMP", ["BLEWire"], embeddedClean),
    layer("Core", "BLEGATT", ["BLEWire", "BLEATT"], embeddedClean),
    layer(
        "Core", "BLEHost",
        ["BLEWire", "BLEHCI", "BLEAdvertising", "BLEL2CAP", "BLEATT", "BLESMP", "BLEGATT"], embeddedClean),
]

let kits = products.map(kit)
let kitNames = products.map { Target.Dependency(stringLiteral: $0.name) }

// D-Bus is there on Linux only. sd-bus is found in libsystemd when the program runs: nothing has to be installed to build.
#if os(Linux)
let bluez: [Target.Dependency] = [
    "BLEWire", "BLEAdvertising", "BLEATT", "BLEGATT", "BLETransport", "BluetoothLE", "DBus",
]
let linux: [Target] = [
    .target(name: "CSDBus", path: "Sources/Edges/CSDBus"),
    layer("Edges", "DBus", ["BLEWire", "BLETransport", "CSDBus"]),
    tests("DBusTests", ["BLETransport", "DBus"]),
    layer("Edges", "BLEBlueZ", bluez),
    tests("BLEBlueZTests", bluez + ["BLEBlueZ"]),
]
let systemBluetooth: [Target.Dependency] = ["BLEBlueZ"]
let systemBus: [Target.Dependency] = ["DBus"]
#else
let linux: [Target] = []
let systemBluetooth: [Target.Dependency] = []
let systemBus: [Target.Dependency] = []
#endif

let edges: [Target] = [
    layer("Edges", "BluetoothLE", ["BLEWire", "BLEAdvertising", "BLEATT", "BLESMP", "BLEGATT"]),
    layer("Edges", "BLESessions", ["BLEWire", "BLEAdvertising", "BLEATT", "BLEGATT", "BluetoothLE"]),
    layer("Edges", "BLEAssignedNumbers", ["BLEWire"]),
    layer("Edges", "BLECapture", ["BLEWire"]),
    layer(
        "Edges", "BLECrypto",
        [
            "BLEWire", "BLESMP",
            library("Crypto", from: "swift-crypto", trait: "Pairing"),
            library("CryptoExtras", from: "swift-crypto", trait: "Pairing"),
        ]),
    // What the C library of Linux hides from Swift.
    .target(name: "CLibC", path: "Sources/Edges/CLibC"),
    layer("Edges", "BLETransport", ["BLEWire", "BLEHCI", "BLECapture", "CLibC"]),
    layer(
        "Edges", "BLEHostDriver",
        [
            "BLEWire", "BLEHCI", "BLEAdvertising", "BLEL2CAP", "BLEATT", "BLESMP", "BLEGATT", "BLEHost",
            "BLETransport", "BluetoothLE",
        ]),
    layer("Edges", "BLEVirtualRadio", ["BLEWire", "BLESimulation", "BLETransport"]),
    layer(
        "Edges", "RadioChoosing",
        ["BLEWire", "BLEHost", "BLESimulation", "BLETransport", "BLEHostDriver", "BLEVirtualRadio"]
            + ["BluetoothLE"] + systemBluetooth),
]

let simulation: [Target] = [
    layer(
        "Simulation", "BLESimulation",
        ["BLEWire", "BLEHCI", "BLEAdvertising", "BLEL2CAP", "BLEATT", "BLEGATT", "BLEHost"]),
    gathered(
        "Simulation", "SimulatedDevices", part: "Simulated", siblings: ["BLESimulation", "SessionTesting"],
        [
            "BLEWire", "BLEAdvertising", "BLEATT", "BLEGATT", "BLEHost", "BLESimulation", "Companion",
        ] + kitNames),
    layer("Simulation", "SessionTesting", ["BLEWire", "BLEAdvertising", "BLEATT", "BLEGATT"]),
]

let fuzzing: [Target] = [
    // Fuzz/ is a package of its own, which lets libFuzzer call these; the test FuzzReplay tries again what it has kept.
    gathered(
        "Fuzzing", "FuzzTargets", part: "Fuzz", siblings: [],
        [
            "BLEWire", "BLEHCI", "BLEAdvertising", "BLEL2CAP", "BLEATT", "BLESMP", "BLEGATT", "BLEHost",
            "BLESimulation", "SimulatedDevices", "Companion",
        ] + kitNames)
]

/// What runs in a page, as Scripts/build-web compiles it for Embedded Swift, and as a program to be held against that.
let engine: [Target.Dependency] = [
    "BLEWire", "BLEHCI", "BLEAdvertising", "BLEATT", "BLEGATT", "BLEHost", "BLESimulation",
    "SimulatedDevices", "Companion", "CompanionText", "CompanionCore",
]
let web: [Target] = [
    layer("Web", "LanternEngine", engine + kitNames),
    .executableTarget(
        name: "lantern-engine", dependencies: ["BLEWire", "Companion", "LanternEngine", "FuzzTargets"],
        path: "Sources/Web", exclude: ["LanternEngine", "Site"],
        sources: ["Native", "Page/Box.swift", "Page/Page.swift", "Trials"], swiftSettings: strict),
]
let companionModules = [
    "Companion", "CompanionText", "CompanionCore", "CSQLite", "CZlib", "CompanionStore", "CompanionDevices",
    "CompanionHub", "Locating",
]
let companion: [Target] = [
    gathered(
        "Companion", "Companion", part: "Companion", siblings: companionModules,
        ["BLEWire", "WireJSON", "BLEAdvertising", "BLEATT", "BLEGATT", "BLEAssignedNumbers"] + kitNames),
    gathered(
        "Companion", "CompanionText", part: "Text", siblings: companionModules,
        ["BLEWire", "BLEAdvertising", "BLEATT", "BLEGATT", "BLEAssignedNumbers", "Companion"] + kitNames),
    layer(
        "Companion", "CompanionCore",
        ["BLEWire", "BLEATT", "BLEGATT", "Companion", "CompanionText"] + kitNames),
    .target(name: "CSQLite", path: "Sources/Companion/CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CZlib", path: "Sources/Companion/CZlib", linkerSettings: [.linkedLibrary("z")]),
    layer("Companion", "CompanionStore", ["BLEWire", "FlockFinder", "Companion", "CSQLite", "CZlib", grdb]),
    gathered(
        "Companion", "CompanionDevices", part: "Devices", siblings: companionModules,
        [
            "BLEWire", "BLEAdvertising", "BLEATT", "BLEGATT", "BLEAssignedNumbers", "BluetoothLE",
            "BLESessions", "Companion",
        ] + kitNames),
    layer("Companion", "Locating", ["FlockFinder", "Companion", nioCore, nioPosix]),
    layer(
        "Companion", "CompanionHub",
        [
            "BLEWire", "BLEAdvertising", "BLEATT", "BLEGATT", "BLEAssignedNumbers", "BLECapture",
            "BluetoothLE", "BLESessions", "Companion", "CompanionText", "CompanionCore", "CompanionStore",
            "CompanionDevices", "Locating", library("Crypto", from: "swift-crypto"),
        ] + kitNames),
]
let hub: [Target] = [
    layer(
        "Hub", "HubWeb",
        [
            "BLEWire", "WireJSON", "BLECapture", "BluetoothLE", "FlockFinder", "Nightlight", "LEDBulb",
            "OverflowArea", "Companion", "CompanionText", "CompanionCore", "CompanionStore",
            "CompanionDevices",
            "CompanionHub", "CZlib", serviceLifecycle,
            library("Hummingbird", from: "hummingbird"),
            library("HummingbirdCore", from: "hummingbird"),
            library("HummingbirdTLS", from: "hummingbird"),
            library("HTTPTypes", from: "swift-http-types"),
            library("Logging", from: "swift-log"), library("Metrics", from: "swift-metrics"),
            library("Crypto", from: "swift-crypto"),
            nioCore, nioPosix, library("NIOHTTP1", from: "swift-nio"),
            library("NIOHTTPTypes", from: "swift-nio-extras"),
            library("NIOSSL", from: "swift-nio-ssl"),
        ],
        resources: [.copy("Public")])
]
let tools: [Target] = [
    // libedit's interface is variadic, which only C can call.
    .target(name: "CLineEditor", path: "Sources/Tools/CLineEditor", linkerSettings: [.linkedLibrary("edit")]),
    gathered(
        "Tools", "LanternCommands", part: "Commands", siblings: ["CLineEditor", "lantern"],
        [
            "BLEWire", "BLEHCI", "BLEAdvertising", "BLEATT", "BLESMP", "BLEGATT", "BLEHost", "BluetoothLE",
            "BLESessions", "BLEAssignedNumbers", "BLECapture", "BLETransport", "BLEHostDriver",
            "BLECrypto", "BLEVirtualRadio", "RadioChoosing", "BLESimulation", "SimulatedDevices", "Companion",
            "CompanionText", "CompanionStore", "CompanionDevices", "CompanionHub", "Locating", "CLineEditor",
            "CLibC", "HubWeb", argumentParser, serviceLifecycle, configuration,
            library("Logging", from: "swift-log"),
        ] + kitNames + systemBus),
    .executableTarget(
        name: "lantern", dependencies: ["LanternCommands", argumentParser],
        path: "Sources/Tools/lantern", swiftSettings: strict),
]

/// What tests of kits need beside the kits.
let kitTests: [Target.Dependency] = ["BLEWire", "BLEATT", "BLEAdvertising", "BLEGATT", "SessionTesting"]

/// What tests on the virtual air need.
let air: [Target.Dependency] = [
    "BLEWire", "BLEATT", "BLEGATT", "BluetoothLE", "BLETransport", "BLEHost", "BLEHostDriver",
    "BLESimulation", "BLEVirtualRadio", "SimulatedDevices", "BLEAdvertising",
]

let tested: [Target] = [
    tests("BLEWireTests", ["BLEWire"]),
    tests("BLEHCITests", ["BLEWire", "BLEHCI"]),
    tests("BLEAdvertisingTests", ["BLEWire", "BLEAdvertising"]),
    tests("BLEL2CAPTests", ["BLEWire", "BLEL2CAP"]),
    tests("BLEATTTests", ["BLEWire", "BLEATT"]),
    tests("BLESMPTests", ["BLEWire", "BLESMP", "BLECrypto", "FuzzTargets"]),
    tests("BLEGATTTests", ["BLEWire", "BLEATT", "BLEGATT"]),
    tests("BLECaptureTests", ["BLEWire", "BLECapture"]),
    tests("LanternEngineTests", ["BLEWire", "FlockFinder", "Companion", "LanternEngine"]),
    tests("FlockFinderTests", kitTests + ["WireJSON", "FlockFinder"], exclude: ["Fixtures"]),
    tests("WiFiSetTests", kitTests + ["WiFiSet", "SimulatedDevices"]),
    tests("ImprovTests", kitTests + ["Improv", "WiFiSet", "SimulatedDevices"]),
    tests("NightlightTests", kitTests + ["Nightlight"], exclude: ["Fixtures"]),
    tests("LEDBulbTests", kitTests + ["LEDBulb"]),
    tests("OverflowAreaTests", ["BLEWire", "BLEAdvertising", "OverflowArea"]),
    tests("BLESimulationTests", ["BLEWire", "BLEHCI", "BLEAdvertising", "BLESimulation"]),
    tests("CompanionTests", ["BLEWire", "FlockFinder", "Nightlight", "Companion"], exclude: ["FieldCases"]),
    tests(
        "CompanionCoreTests",
        kitTests + kitNames + ["SimulatedDevices", "Companion", "CompanionText", "CompanionCore"]),
    tests("CompanionDevicesTests", air + kitNames + ["Companion", "CompanionStore", "CompanionDevices"]),
    tests(
        "CompanionHubTests",
        air + kitNames + [
            "Companion", "CompanionText", "CompanionCore", "CompanionStore", "CompanionDevices",
            "CompanionHub",
        ]),
    tests(
        "HubWebTests",
        [
            "BLEWire", "BluetoothLE", "FlockFinder", "Companion", "CompanionStore", "CompanionDevices",
            "CompanionHub", "HubWeb",
            library("HTTPTypes", from: "swift-http-types"), library("Logging", from: "swift-log"),
            nioCore, nioPosix,
            library("NIOEmbedded", from: "swift-nio"), library("NIOSSL", from: "swift-nio-ssl"),
        ]),
    tests("CompanionStoreTests", ["BLEWire", "FlockFinder", "Companion", "CompanionStore", "CZlib", grdb]),
    tests(
        "BLETransportTests",
        ["BLEWire", "BLECapture", "BLESimulation", "BLETransport", "BLEVirtualRadio"]),
    tests(
        "BLEHostDriverTests", air + ["BLEHCI", "BLESMP", "BLECrypto", "FlockFinder", "BLESessions"]),
    tests("RadioBehaviourTests", air + ["RadioChoosing"]),
    tests(
        "LanternCommandsTests",
        air + kitNames + [
            "BLEHCI", "Companion", "CompanionText", "CompanionDevices", "CompanionHub", "CompanionStore",
            "RadioChoosing", "LanternCommands", argumentParser,
        ]),
    tests(
        "Conformance",
        [
            "BLEWire", "BLEHCI", "BLEAdvertising", "BLEL2CAP", "BLEATT", "BLESMP", "BLEGATT", "BLECrypto",
            "BLEAssignedNumbers", "LEDBulb", "Nightlight", "OverflowArea",
        ]),
    tests(
        "DocumentationTests",
        [
            "BLEWire", "BLEAdvertising", "BLEAssignedNumbers", "BLEGATT", "BLEHost", "BLEHostDriver",
            "BLESessions", "BLESimulation", "BLETransport", "BLEVirtualRadio", "BluetoothLE",
            "SimulatedDevices", "OverflowArea", "FlockFinder", "SessionTesting", "Companion", "CompanionText",
            "CompanionDevices", "CompanionStore", "Nightlight", "WiFiSet", "Improv",
        ]),
    tests(
        "Scenarios",
        [
            "BLEWire", "BLEHCI", "BLEAdvertising", "BLEL2CAP", "BLEATT", "BLESMP", "BLEGATT", "BLEHost",
            "BLECrypto", "BLESimulation", "SimulatedDevices", "FlockFinder", "OverflowArea",
        ]),
    tests("Soak", air + ["BLEHCI"]),
    .testTarget(
        name: "FuzzReplay", dependencies: ["Companion", "FuzzTargets"], path: "Fuzz/Replay",
        swiftSettings: strict),
]

let package = Package(
    name: "Lantern", platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "BLEHost", targets: ["BLEHost"]),
        .library(name: "BluetoothLE", targets: ["BluetoothLE", "BLESessions", "BLEHostDriver"]),
        .library(name: "BLECrypto", targets: ["BLECrypto"]),
        .library(name: "BLEAssignedNumbers", targets: ["BLEAssignedNumbers"]),
        .library(name: "BLESimulation", targets: ["BLESimulation", "SimulatedDevices", "BLEVirtualRadio"]),
        .library(name: "SessionTesting", targets: ["SessionTesting"]),
        .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
        .library(name: "Companion", targets: ["Companion", "CompanionText", "CompanionDevices"]),
        .library(name: "CompanionStore", targets: ["CompanionStore"]),
        .executable(name: "lantern", targets: ["lantern"]),
    ] + products.map { .library(name: $0.name, targets: [$0.name]) },
    traits: [
        .trait(name: "Hub", description: "The hub, its database, lantern.", enabledTraits: ["Pairing"]),
        .trait(name: "Pairing", description: "BLECrypto: what pairing needs of a host, on swift-crypto."),
        .default(enabledTraits: ["Hub"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    ],
    targets: core + kits + edges + linux + simulation + fuzzing + companion + web + hub + tools + tested,
    swiftLanguageModes: [.v6]
)
