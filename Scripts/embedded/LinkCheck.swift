// SPDX-License-Identifier: Apache-2.0

// Uses each public generic of Core and Kits once, so that Scripts/check-embedded builds and links it.
// This image is never run. Add a use here with every public generic.

import BLEGATT
import BLEWire

@main
struct LinkCheck {
    static func main() {
    }
}
