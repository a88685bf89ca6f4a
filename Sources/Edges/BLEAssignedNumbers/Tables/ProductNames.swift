// SPDX-License-Identifier: Apache-2.0

// Numbers of the products that this package supports, by hand from their documents.

extension NameTable {
    /// Service UUIDs.
    static let productServices = NameTable(
        #"""
        00467768622822724663277478268000 Improv
        4fafc2011fb5459e8fccc5c9c331914b FlockFinder or WiFiSet
        7a5a0000d04b48ebb3fa32eb4f0ffac4 Nightlight LED
        7a5a0100d04b48ebb3fa32eb4f0ffac4 Nightlight Child Button
        7a5a0200d04b48ebb3fa32eb4f0ffac4 Nightlight Schedule
        ffd5 Triones Bulb
        ffe5 Magic Blue Bulb
        """#)

    /// Characteristic UUIDs.
    static let productCharacteristics = NameTable(
        #"""
        00467768622822724663277478268001 Improv Current State
        00467768622822724663277478268002 Improv Error State
        00467768622822724663277478268003 Improv RPC Command
        00467768622822724663277478268004 Improv RPC Result
        00467768622822724663277478268005 Improv Capabilities
        3cf04bd768124934a000da99e0e27494 Nightlight Button On Time
        4fafc2021fb5459e8fccc5c9c331914b WiFiSet WiFi List
        4fafc2031fb5459e8fccc5c9c331914b WiFiSet Credential Write
        4fafc2041fb5459e8fccc5c9c331914b WiFiSet Status
        5405d75470554b8c815305d87a3f8c26 Nightlight Button Daily Usage
        683ed29faab0473fa944c22444b3adde Nightlight Button Deactivation Time
        7a5a0001d04b48ebb3fa32eb4f0ffac4 Nightlight LED Power
        7a5a0002d04b48ebb3fa32eb4f0ffac4 Nightlight LED Link
        7a5a0003d04b48ebb3fa32eb4f0ffac4 Nightlight LED Proof
        7a5a0011d04b48ebb3fa32eb4f0ffac4 Nightlight LED 1 Colour
        7a5a0012d04b48ebb3fa32eb4f0ffac4 Nightlight LED 2 Colour
        7a5a0013d04b48ebb3fa32eb4f0ffac4 Nightlight LED 3 Colour
        7a5a0014d04b48ebb3fa32eb4f0ffac4 Nightlight LED 4 Colour
        7a5a0101d04b48ebb3fa32eb4f0ffac4 Nightlight Button Colour
        7a5a0102d04b48ebb3fa32eb4f0ffac4 Nightlight Button Enabled
        7a5a0201d04b48ebb3fa32eb4f0ffac4 Nightlight Week Schedule
        7a5a0202d04b48ebb3fa32eb4f0ffac4 Nightlight Day Schedule
        7a5a0203d04b48ebb3fa32eb4f0ffac4 Nightlight Active Source
        7a5a0204d04b48ebb3fa32eb4f0ffac4 Nightlight Child Name
        beb5483e36e14688b7f5ea07361b26a8 FlockFinder Detection
        beb5483e36e14688b7f5ea07361b26a9 FlockFinder Command
        beb5483e36e14688b7f5ea07361b26aa FlockFinder Stream
        ca22ee9a90c346318761947df10f72d0 Nightlight Button Shake Mode
        ffd4 Triones State
        ffd9 Triones Command
        ffe9 Magic Blue Command
        """#)
}
