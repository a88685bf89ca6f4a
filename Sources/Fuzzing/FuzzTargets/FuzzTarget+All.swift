// SPDX-License-Identifier: Apache-2.0

import FlockFinderFuzz
public import Fuzzing
import ImprovFuzz
import LEDBulbFuzz
import NightlightFuzz
import OverflowAreaFuzz
import ProductRegistry
import WiFiSetFuzz

extension FuzzTarget {
    /// All targets: those of Core, then those of the products.
    public static let all =
        [
            FuzzTarget("h4", fuzzH4),
            FuzzTarget("hci", fuzzHost),
            FuzzTarget("l2cap", fuzzL2CAP),
            FuzzTarget("att_server", fuzzServer),
            FuzzTarget("gatt_client", fuzzClient),
            FuzzTarget("smp", fuzzPairing),
            FuzzTarget("ad", fuzzAdvertisingData),
            FuzzTarget("air", fuzzAir),
        ] + products.map { $0.fuzzTarget }

    // Those of ``Products/all``, in its order; Embedded Swift cannot ask them.
    package static let products: [any FuzzedProduct] = [
        FlockFinderProduct(),
        WiFiSetProduct(),
        ImprovProduct(),
        LEDBulbProduct(),
        OverflowAreaProduct(),
        NightlightProduct(),
    ]
}
