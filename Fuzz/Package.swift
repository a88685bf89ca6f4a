// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// Scripts/fuzz builds and runs it, with LANTERN_FUZZ in the environment: only then the root package has these products. What it calls is in the root package: Sources/Fuzzing, and a module of each product (ImprovFuzz).
let package = Package(
    name: "LanternFuzz",
    platforms: [.macOS(.v15)],
    // No trait: neither the hub's database nor the argument parser.
    dependencies: [.package(name: "lantern", path: "..", traits: [])],
    targets: [
        .executableTarget(
            name: "lantern-fuzz",
            dependencies: [
                .product(name: "Fuzzing", package: "lantern"),
                .product(name: "FuzzTargets", package: "lantern"),
            ],
            path: "Entry",
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
