// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A product of the package that is measured.
func lantern(_ product: String) -> Target.Dependency { .product(name: product, package: "lantern") }

let package = Package(
    name: "LanternBenchmarks",
    platforms: [.macOS(.v15)],
    products: [
        // Loaded in front of a host to count what it allocates.
        .library(name: "AllocationCount", type: .dynamic, targets: ["AllocationCount"])
    ],
    dependencies: [
        .package(name: "lantern", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .executableTarget(name: "bench-controller", path: "Sources/Controller"),
        .executableTarget(name: "bench-bare", path: "Sources/Bare"),
        .target(name: "AllocationCount"),
        .executableTarget(
            name: "bench-host",
            dependencies: [lantern("BluetoothLE"), lantern("BLEHost"), lantern("BLECrypto")],
            path: "Sources/Host", swiftSettings: strict),
        .executableTarget(
            name: "bench-layers",
            dependencies: [
                lantern("BluetoothLE"), lantern("BLESimulation"), lantern("BLECoreBluetooth"),
                lantern("VirtualPhone"),
            ],
            path: "Sources/Layers", swiftSettings: strict),
        .executableTarget(
            name: "bench-work",
            dependencies: [
                lantern("BLEHost"), lantern("BLECrypto"), lantern("BluetoothLE"), lantern("FlockFinder"),
                lantern("Companion"), lantern("CompanionStore"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources/Work", swiftSettings: strict),
        .executableTarget(
            name: "bench-store",
            dependencies: [lantern("FlockFinder"), lantern("Companion"), lantern("CompanionStore")],
            path: "Sources/Store", swiftSettings: strict),
        .executableTarget(
            name: "bench-map",
            dependencies: [
                lantern("FlockFinder"), lantern("Companion"), lantern("CompanionStore"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources/Map", swiftSettings: strict),
        .executableTarget(
            name: "bench-app",
            dependencies: [lantern("LanternApp"), lantern("Companion"), lantern("CompanionHub")],
            path: "Sources/App", swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
