// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// A product of the package that is fuzzed.
func lantern(_ product: String) -> Target.Dependency { .product(name: product, package: "lantern") }

// Scripts/fuzz builds and runs it. The root package compiles the same targets into its test FuzzReplay.
let package = Package(
    name: "LanternFuzz",
    platforms: [.macOS(.v15)],
    // No trait: neither the hub's database nor the argument parser.
    dependencies: [.package(name: "lantern", path: "..", traits: [])],
    targets: [
        .executableTarget(
            name: "lantern-fuzz",
            dependencies: [
                lantern("BLEHost"), lantern("FlockFinder"), lantern("WiFiSet"), lantern("LEDBulb"),
                lantern("Nightlight"),
                lantern("OverflowArea"),
            ],
            path: "Sources", exclude: ["Replay"],
            swiftSettings: [
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                // libFuzzer brings main.
                .unsafeFlags(["-parse-as-library"]),
            ])
    ],
    swiftLanguageModes: [.v6]
)
