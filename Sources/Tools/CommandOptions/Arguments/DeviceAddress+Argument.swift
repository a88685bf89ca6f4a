// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import BLEWire
public import Companion

extension DeviceAddress: ExpressibleByArgument {
    /// Devices that were seen lately.
    public static var defaultCompletionKind: CompletionKind { .seenDevices }

    /// Reads an address, or the name of a device that was seen lately.
    public init?(argument: String) {
        self.init(argument, names: SeenNames.inStateFolder())
    }

    /// Reads an address, or the name of a device that was seen.
    ///
    /// - Parameters:
    ///   - argument: What was written.
    ///   - names: The names of devices that were seen.
    package init?(_ argument: String, names: @autoclosure () -> SeenNames?) {
        if let device = DeviceAddress(argument) {
            self = device
        } else {
            guard let devices = names()?.devices(called: argument), devices.count == 1 else { return nil }
            self.init(devices[0])
        }
    }
}
