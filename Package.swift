// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The products; each is a folder of `Sources/Products`, and each folder in that a target.
let products = ["FlockFinder", "WiFiSet", "Improv", "Nightlight", "LEDBulb", "OverflowArea"]
let strict: [SwiftSetting] = [
    // A warning that only Apple's SDK gives must not stop a build there.
    .treatAllWarnings(as: .error, .when(platforms: [.linux])), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
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
/// A target of one product, at `Sources/Products/<product>/<product><part>`.
func part(
    _ product: String, _ part: String, _ needs: [Target.Dependency], _ settings: [SwiftSetting] = strict
) -> Target { layer("Products/\(product)", product + part, needs, settings) }

/// The parts of those of the products that have them.
func parts(_ part: String, of some: [String] = products) -> [Target.Dependency] {
    some.map { .init(stringLiteral: $0 + part) }
}
func tests(
    _ name: String, _ needs: [Target.Dependency], at path: String? = nil, exclude: [String] = [],
    _ more: [SwiftSetting] = []
) -> Target {
    .testTarget(
        name: name, dependencies: needs, path: path ?? "Tests/\(name)", exclude: exclude,
        swiftSettings: strict + more)
}

/// A product of another package, which only a trait needs.
func library(_ name: String, from package: String, trait: String = "Hub") -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: [trait]))
}

let grdb = library("GRDB", from: "GRDB.swift", trait: "Store")
let argumentParser = library("ArgumentParser", from: "swift-argument-parser")
let serviceLifecycle = library("ServiceLifecycle", from: "swift-service-lifecycle")
let nioCore = library("NIOCore", from: "swift-nio")
let nioPosix = library("NIOPosix", from: "swift-nio")
/// The names of targets, as others depend on them.
func all(_ targets: [Target]) -> [Target.Dependency] { targets.map { .init(stringLiteral: $0.name) } }
/// What nearly everything above Core stands on.
let attributes: [Target.Dependency] = ["BLEWire", "BLEAdvertising", "BLEATT", "BLEGATT"]
let core: [Target] =
    ["BLEHCI", "BLEAdvertising", "BLEL2CAP", "BLEATT", "BLESMP"].map {
        layer("Core", $0, ["BLEWire"], embeddedClean)
    } + [
        // Only the module that declares the ~Escapable reader needs the Lifetimes feature.
        layer("Core", "BLEWire", [], embeddedClean + [.enableExperimentalFeature("Lifetimes")]),
        layer("Core", "WireJSON", [], embeddedClean),
        layer("Core", "BLEGATT", ["BLEWire", "BLEATT"], embeddedClean),
        layer("Core", "BLEHost", attributes + ["BLEHCI", "BLEL2CAP", "BLESMP"], embeddedClean),
        layer("Core", "BLEDevice", attributes + ["BLEHCI", "BLEL2CAP"], embeddedClean),
    ]

/// The protocols of the products, both ends of each.
let kits = products.map {
    part($0, "", ["BLEWire", "WireJSON", "BLEAdvertising", "BLEGATT"], embeddedClean)
}
let kitNames = parts("")
// D-Bus is there on Linux only. sd-bus is found in libsystemd when the program runs: nothing has to be installed to build.
#if os(Linux)
let bluez: [Target.Dependency] = attributes + ["BLETransport", "BluetoothLE", "DBus"]
let linux: [Target] = [
    .target(name: "CSDBus", path: "Sources/Edges/CSDBus"),
    layer("Edges", "DBus", ["BLEWire", "BLETransport", "CSDBus"]),
    tests("DBusTests", ["BLETransport", "DBus"]),
    layer("Edges", "BLEBlueZ", bluez),
    tests("BLEBlueZTests", bluez + ["BLEBlueZ"]),
]
#else
let linux: [Target] = []
#endif
let systemBluetooth: [Target.Dependency] = linux.isEmpty ? ["BLECoreBluetooth"] : ["BLEBlueZ"]
let coreBluetooth: [Target.Dependency] = linux.isEmpty ? [] : ["CoreBluetooth", "VirtualPhone"]
/// What opens a radio of our own host.
let opening: [Target.Dependency] = all(core) + ["BLETransport", "BLEHostDriver", "BluetoothLE"]
let edges: [Target] = [
    layer("Edges", "BluetoothLE", attributes + ["BLESMP"]),
    layer("Edges", "BLESessions", attributes + ["BluetoothLE"]),
    .target(name: "CAssignedNumbers", path: "Sources/Edges/CAssignedNumbers"),
    layer("Edges", "BLEAssignedNumbers", ["BLEWire", "CAssignedNumbers"]),
    layer("Edges", "BLECapture", ["BLEWire"]),
    layer(
        "Edges", "BLECrypto",
        ["BLEWire", "BLESMP"]
            + ["Crypto", "CryptoExtras"].map { library($0, from: "swift-crypto", trait: "Pairing") }),
    .target(name: "CLibC", path: "Sources/Edges/CLibC"),
    layer("Edges", "BLETransport", ["BLEWire", "BLEHCI", "BLECapture", "CLibC"]),
    layer("Edges", "BLEHostDriver", all(core) + ["BLETransport", "BluetoothLE"]),
    layer(
        "Edges", "BLEVirtualRadio",
        ["BLEWire", "BLEGATT", "BLEHost", "BLESimulation", "BLETransport", "BLEHostDriver", "BluetoothLE"]),
    layer("Edges", "BLESystemRadio", opening + systemBluetooth),
    layer(
        "Edges", "RadioChoosing",
        opening + coreBluetooth + ["BLESimulation", "BLEVirtualRadio", "BLESystemRadio", "BLECoreBluetooth"]),
    layer("Edges", "BLECoreBluetooth", attributes + coreBluetooth + ["BluetoothLE"]),
    layer("Edges", "BLEFoundation", opening + kitNames + ["BLEAssignedNumbers"]),
]
let simulation: [Target] = [
    layer("Simulation", "BLESimulation", all(core)),
    layer(
        "Simulation", "SimulatedDevices",
        attributes + ["BLESimulation", "ProductRegistry", "Nightlight", "WiFiSet"] + parts("Simulated")),
    layer("Simulation", "SessionTesting", attributes),
]
let fuzzing: [Target] = [
    layer("Fuzzing", "Fuzzing", ["BLEWire", "BLEATT", "BLEGATT", "ProductRegistry"]),
    // Fuzz/ is a package of its own, which lets libFuzzer call these; the test FuzzReplay tries again what it has kept.
    layer(
        "Fuzzing", "FuzzTargets",
        all(core) + ["BLESimulation", "SimulatedDevices", "Companion", "ProductRegistry", "Fuzzing"]
            + parts("Fuzz")),
]
/// What each part of a product stands on.
let partNeeds: [Target.Dependency] = attributes + ["ProductRegistry", "Companion"]
/// What its commands need besides.
let commandNeeds: [Target.Dependency] = [
    "BLESimulation", "BluetoothLE", "BLESessions", "CompanionDevices", "CompanionText", "CommandIO",
    "CommandOptions", argumentParser,
]
/// Products with a part that is driven by tasks.
let driven = ["FlockFinder", "Nightlight", "LEDBulb", "OverflowArea"]
let productParts: [Target] = products.flatMap { product -> [Target] in
    var needs = partNeeds + parts("", of: [product])
    if product == "FlockFinder" { needs += ["Detections"] }
    // An Improv device joins the networks that a WiFiSet device does.
    if product == "Improv" { needs += ["WiFiSet"] }
    let companion = needs + parts("Companion", of: [product])
    let simulated =
        companion + ["BLEHost", "BLESimulation"] + (product == "Improv" ? ["WiFiSetSimulated"] : [])
    let devices = companion + ["BluetoothLE", "BLESessions", "CompanionDevices"]
    var commands = companion + commandNeeds + parts("Simulated", of: [product])
    if driven.contains(product) { commands += parts("Devices", of: [product]) }
    if product == "FlockFinder" { commands += ["CompanionStore", "Locating", "GPSDClient"] }
    if product == "Improv" { commands += ["WiFiSetCommands", "WiFiSetSimulated"] }
    return [
        part(product, "Companion", needs + ["WireJSON", "CompanionText"]),
        part(product, "Simulated", simulated),
        part(product, "Fuzz", companion + ["Fuzzing"]),
        part(product, "Commands", commands),
    ] + (driven.contains(product) ? [part(product, "Devices", devices)] : [])
}
/// What is done with devices.
let devices: [Target.Dependency] = ["CompanionDevices"] + parts("Devices", of: driven)
/// The application without radio, store and tasks.
let companionNames: [Target.Dependency] =
    ["ProductRegistry", "Companion", "CompanionText", "Detections", "HubModel"] + parts("Companion")
/// What runs in a page, as Scripts/build-web compiles it for Embedded Swift, and as a program to be held against that.
let engine: [Target.Dependency] = [
    "BLEWire", "BLEHCI", "BLEAdvertising", "BLEATT", "BLEGATT", "BLEHost", "BLESimulation",
    "SimulatedDevices", "CompanionCore",
]
let web: [Target] = [
    layer("Web", "LanternEngine", engine + companionNames + parts("Simulated") + kitNames),
    .executableTarget(
        name: "lantern-engine",
        dependencies: all(fuzzing) + ["BLEWire", "BLEAssignedNumbers", "Companion", "LanternEngine"],
        path: "Sources/Web/lantern-engine", swiftSettings: strict),
]
let values: [Target.Dependency] = attributes + ["BLEAssignedNumbers", "ProductRegistry"]
let companion: [Target] = [
    layer("Companion", "ProductRegistry", ["BLEWire", "BLEGATT", "BLEAssignedNumbers"] + kitNames),
    layer("Companion", "Companion", values + ["WireJSON"]),
    layer("Companion", "CompanionText", values + ["Companion"]),
    layer("Companion", "Detections", ["BLEWire", "WireJSON", "FlockFinder", "Companion"]),
    layer("Companion", "HubModel", values + ["Companion", "Detections"] + kitNames + parts("Companion")),
    layer(
        "Companion", "CompanionCore",
        ["BLEWire", "BLEATT", "BLEGATT", "BLESMP"] + companionNames + kitNames),
    .target(name: "CSQLite", path: "Sources/Companion/CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CZlib", path: "Sources/Companion/CZlib", linkerSettings: [.linkedLibrary("z")]),
    layer(
        "Companion", "CompanionStore",
        ["BLEWire", "FlockFinder", "CSQLite", "CZlib", "Nightlight", grdb] + companionNames),
    layer(
        "Companion", "CompanionDevices",
        values + ["BluetoothLE", "BLESessions", "Companion", "HubModel"] + kitNames),
    layer(
        "Companion", "CompanionFoundation",
        companionNames + devices + ["BLEWire", "LEDBulb", "BLEFoundation"]),
    layer("Companion", "Locating", ["BLEWire", "Companion", "CompanionCore", "Detections", "HubModel"]),
    layer("Companion", "GPSDClient", ["Detections", "Locating", nioCore, nioPosix]),
    layer(
        "Companion", "CompanionHub",
        [
            "BLECapture", "BluetoothLE", "BLESessions", "CompanionCore", "CompanionStore", "CompanionDevices",
            "Locating",
        ] + attributes + ["BLEAssignedNumbers"] + companionNames + parts("Devices", of: driven) + kitNames),
    layer(
        "Companion", "BondSealing",
        ["BLEWire", "BLESMP", "BluetoothLE", "Companion", "CompanionStore", "CompanionHub"]
            + [library("Crypto", from: "swift-crypto")]),
]
/// Apple's API over our own stack, where Apple's framework is not.
let phone: [Target] = [
    layer("Apple", "VirtualPhone", attributes + ["BluetoothLE", "OverflowArea"]),
    layer("Apple", "CoreBluetooth", attributes + ["BluetoothLE", "OverflowArea", "VirtualPhone"]),
]
/// As much of other frameworks of Apple's as our own app uses.
let frameworks: [Target] =
    ["CoreLocation", "CoreMotion", "UserNotifications"].map {
        layer("Apple", $0, ["PhoneSurroundings", "VirtualPhone"])
    } + [
        layer("Apple", "PhoneSurroundings", ["BLEWire", "BluetoothLE", "VirtualPhone"]),
        layer("Apple", "UniformTypeIdentifiers"), layer("Apple", "SwiftUI", ["UniformTypeIdentifiers"]),
        layer("Apple", "Charts", ["SwiftUI"]), layer("Apple", "MapKit", ["SwiftUI", "CoreLocation"]),
        layer("Apple", "ActivityKit", ["SwiftUI"]),
    ]
/// What hosts of the application core stand on.
let hubParts = companionNames + ["CompanionCore", "CompanionStore", "CompanionDevices", "CompanionHub"]
let hub: [Target] = [
    layer(
        "App", "LanternApp",
        ["BLEWire", "BLEAssignedNumbers", "BluetoothLE", "BLECoreBluetooth", "OverflowArea", "Locating"]
            + hubParts + (linux.isEmpty ? [] : all(frameworks))),
    layer(
        "Hub", "HubWeb",
        [
            "BLEWire", "WireJSON", "BLECapture", "BluetoothLE", "FlockFinder", "Nightlight", "LEDBulb",
            "OverflowArea", "CompanionCore", "CompanionStore", "CompanionDevices", "CompanionHub", "CZlib",
            serviceLifecycle,
            library("HTTPTypes", from: "swift-http-types"),
            library("Logging", from: "swift-log"), library("Metrics", from: "swift-metrics"),
            library("Crypto", from: "swift-crypto"),
            nioCore, nioPosix, library("NIOHTTP1", from: "swift-nio"),
            library("NIOHTTPTypes", from: "swift-nio-extras"), library("NIOSSL", from: "swift-nio-ssl"),
        ] + ["", "Core", "TLS"].map { library("Hummingbird" + $0, from: "hummingbird") } + companionNames
            + parts("Devices", of: driven),
        resources: [.copy("Public")]),
]
let tools: [Target] = [
    // libedit's interface is variadic, which only C can call.
    .target(name: "CLineEditor", path: "Sources/Tools/CLineEditor", linkerSettings: [.linkedLibrary("edit")]),
    layer(
        "Tools", "CommandIO",
        ["BLEWire", "Companion", "CompanionDevices", "CompanionText", "CLineEditor", argumentParser]),
    layer(
        "Tools", "CommandOptions",
        [
            "BLEHost", "BLETransport", "BLEHostDriver", "BLECrypto", "BluetoothLE", "BLESessions",
            "RadioChoosing", "SimulatedDevices", "Companion", "CompanionText", "CompanionStore",
            "CompanionDevices", "NightlightDevices", "CommandIO", argumentParser,
        ] + values),
    // The commands of products are found at run time, whatever of them is imported.
    layer(
        "Tools", "LanternCommands",
        [
            "BluetoothLE", "BLEAssignedNumbers", "BLETransport", "BLEHostDriver", "BLEVirtualRadio",
            "RadioChoosing", "BLESimulation", "SimulatedDevices", "CompanionStore", "CompanionDevices",
            "CompanionHub", "BondSealing", "GPSDClient", "CLibC", "HubWeb", "CommandIO", "CommandOptions",
            "BLESystemRadio", "FlockFinder", "FlockFinderDevices", "FlockFinderSimulated",
            "NightlightDevices", argumentParser, serviceLifecycle,
            library("Configuration", from: "swift-configuration"), library("Logging", from: "swift-log"),
        ] + all(core) + companionNames + parts("Commands") + (linux.isEmpty ? [] : ["DBus"])),
    .executableTarget(
        name: "lantern", dependencies: ["LanternCommands", argumentParser],
        path: "Sources/Tools/lantern", swiftSettings: strict),
]
let kitTests: [Target.Dependency] = attributes + ["SessionTesting"]
let simulated: [Target.Dependency] = ["SimulatedDevices"] + parts("Simulated")
/// What tests on the virtual air need.
let air: [Target.Dependency] =
    attributes + [
        "BLEHost", "BluetoothLE", "BLETransport", "BLEHostDriver", "BLESimulation", "BLEVirtualRadio",
    ] + simulated
let apple: [Target] =
    linux.isEmpty
    ? []
    : phone + frameworks + [
        tests("CoreBluetoothTests", air + all(phone)),
        tests("BLECoreBluetoothTests", air + ["BLECoreBluetooth", "VirtualPhone"]),
        tests("SwiftUITests", all(frameworks)),
        tests(
            "LanternAppTests",
            air + all(phone + frameworks) + ["BLECoreBluetooth", "LanternApp"] + hubParts),
        tests("AppleFrameworksTests", air + ["VirtualPhone"] + all(frameworks)),
    ]
/// What the code of the articles stands on.
let articles: [Target.Dependency] =
    air + companionNames + devices + kitNames + ["BLEAssignedNumbers", "BLESessions", "SessionTesting"]
    + ["BLECrypto", "BLESystemRadio", "CompanionStore", "CompanionHub"]
let small = ["BLEHCI", "BLEAdvertising", "BLEL2CAP", "BLEATT", "BLECapture"].map {
    tests($0 + "Tests", ["BLEWire", .init(stringLiteral: $0)])
}
let tested: [Target] = [
    tests("BLEWireTests", ["BLEWire"]),
    tests("BLESMPTests", ["BLEWire", "BLESMP", "BLECrypto", "Fuzzing", "FuzzTargets"]),
    tests("BLEGATTTests", ["BLEWire", "BLEATT", "BLEGATT"]),
    tests("BLEDeviceTests", ["BLEWire", "BLEHCI", "BLEATT", "BLEGATT", "BLEDevice"]),
    tests("LanternEngineTests", ["BLEWire", "LanternEngine"] + companionNames + kitNames),
    tests("FlockFinderTests", kitTests + ["WireJSON", "FlockFinder"], exclude: ["Fixtures"]),
    tests("WiFiSetTests", kitTests + ["WiFiSet", "WiFiSetSimulated"]),
    tests("ImprovTests", kitTests + ["Improv", "ImprovSimulated", "WiFiSet", "WiFiSetSimulated"]),
    tests("NightlightTests", kitTests + ["Nightlight"], exclude: ["Fixtures"]),
    tests("LEDBulbTests", kitTests + ["LEDBulb"]),
    tests("OverflowAreaTests", ["BLEWire", "BLEAdvertising", "OverflowArea"]),
    tests("BLESimulationTests", ["BLEWire", "BLEHCI", "BLEAdvertising", "BLESimulation"]),
    tests("DetectionsTests", kitTests + ["FlockFinder", "Companion", "Detections"]),
    tests("CompanionTests", kitTests + companionNames + kitNames, exclude: ["FieldCases"]),
    tests(
        "CompanionCoreTests", kitTests + kitNames + companionNames + simulated + ["BLESMP", "CompanionCore"]),
    tests(
        "CompanionDevicesTests", air + kitNames + companionNames + devices + ["CompanionStore", "Locating"]),
    tests("CompanionHubTests", air + kitNames + parts("Devices", of: driven) + hubParts + ["BondSealing"]),
    tests(
        "HubWebTests",
        [
            "BLEWire", "BluetoothLE", "FlockFinder", "CompanionStore", "CompanionDevices", "CompanionHub",
            "BondSealing", "HubWeb", nioCore, nioPosix, library("HTTPTypes", from: "swift-http-types"),
            library("Logging", from: "swift-log"), library("NIOEmbedded", from: "swift-nio"),
            library("NIOSSL", from: "swift-nio-ssl"),
        ] + companionNames),
    tests(
        "CompanionStoreTests", ["BLEWire", "FlockFinder", "CompanionStore", "CZlib", grdb] + companionNames),
    tests(
        "BLETransportTests", ["BLEWire", "BLECapture", "BLESimulation", "BLETransport", "BLEVirtualRadio"]),
    tests("BLEHostDriverTests", air + ["BLEHCI", "BLESMP", "BLECrypto", "FlockFinder", "BLESessions"]),
    tests("RadioBehaviourTests", air + coreBluetooth + ["BLECrypto", "BLECoreBluetooth", "RadioChoosing"]),
    tests(
        "LanternCommandsTests",
        air + kitNames + companionNames + devices + [
            "BLEHCI", "CompanionHub", "CompanionStore", "RadioChoosing", "CommandIO", "CommandOptions",
            "LanternCommands", "BLESystemRadio", argumentParser,
        ] + parts("Commands")),
    tests(
        "Conformance",
        all(core) + ["BLECrypto", "BLEAssignedNumbers", "LEDBulb", "Nightlight", "OverflowArea"]),
    tests("DocumentationTests", articles),
    tests(
        "BLEFoundationTests",
        all(core) + kitNames + companionNames + devices + ["BLEFoundation", "CompanionFoundation"]
            + ["BLEAssignedNumbers", "BLETransport", "BluetoothLE"]),
    tests(
        "MainActorTests", articles + coreBluetooth,
        [.defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    tests(
        "Scenarios",
        all(core) + simulated + ["BLECrypto", "BLESimulation", "FlockFinder", "OverflowArea"]),
    tests("Soak", air + ["BLEHCI"]),
    tests("FuzzReplay", ["ProductRegistry", "Fuzzing", "FuzzTargets"], at: "Fuzz/Replay"),
]
/// Libraries of one module; those of Fuzz/ are offered to its script alone, which says so.
let alone = [
    "BLEHost", "BLEAdvertising", "BLECrypto", "BLESystemRadio", "BLECoreBluetooth", "BLEFoundation",
    "BLEAssignedNumbers", "SessionTesting", "CompanionStore", "CompanionHub", "LanternApp",
]
let fuzzed = Context.environment["LANTERN_FUZZ"] == nil ? [] : ["Fuzzing", "FuzzTargets"]
let ofApple: [Package.Dependency] = [
    ("swift-argument-parser", "1.8.2"), ("swift-configuration", "1.4.0"), ("swift-log", "1.16.2"),
    ("swift-metrics", "2.13.0"), ("swift-crypto", "4.5.2"), ("swift-http-types", "1.8.0"),
    ("swift-nio", "2.101.2"), ("swift-nio-ssl", "2.37.6"), ("swift-nio-extras", "1.35.2"),
].map { .package(url: "https://github.com/apple/" + $0, from: $1) }

let package = Package(
    name: "Lantern", platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "BluetoothLE", targets: ["BluetoothLE", "BLESessions", "BLEHostDriver"]),
        .library(
            name: "BLESimulation",
            targets: ["BLESimulation", "SimulatedDevices", "BLEVirtualRadio"]
                + products.map { $0 + "Simulated" }),
        .library(
            name: "Companion",
            targets: ["ProductRegistry", "Companion", "CompanionText", "Detections", "HubModel"]
                + ["CompanionDevices", "CompanionFoundation"] + products.map { $0 + "Companion" }
                + driven.map { $0 + "Devices" }),
        .executable(name: "lantern", targets: ["lantern"]),
    ] + (alone + fuzzed + products).map { .library(name: $0, targets: [$0]) }
        // Elsewhere they are there for the packages of apps, which want them on Linux only, and never built.
        + phone.map { .library(name: $0.name, targets: [apple.isEmpty ? "BLEWire" : $0.name]) },
    traits: [
        .trait(name: "Hub", description: "The hub.", enabledTraits: ["Pairing", "Store", "CoreBluetooth"]),
        .trait(name: "Store", description: "The database of an app or a hub, on GRDB."),
        .trait(name: "Pairing", description: "BLECrypto: what pairing needs of a host, on swift-crypto."),
        .trait(name: "CoreBluetooth", description: "Apple's API on Linux, for tests of apps."),
        .default(enabledTraits: ["Hub"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ] + ofApple,
    targets: core + kits + edges + linux + apple + simulation + fuzzing + companion + productParts + web
        + hub + tools + small + tested,
    swiftLanguageModes: [.v6]
)
