// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import BLEWire
public import BluetoothLE

/// Who is on an air, by address.
struct AirAddresses {
    private var controllers: [BluetoothAddress: VirtualAir.ControllerID] = [:]
    /// The radios, and whether they are switched on.
    private var radios: [BluetoothAddress: Bool] = [:]

    mutating func add(_ address: BluetoothAddress, at controller: VirtualAir.ControllerID) {
        controllers[address] = controller
    }

    mutating func addRadio(_ address: BluetoothAddress) { radios[address] = true }

    func isOn(_ address: BluetoothAddress) -> Bool { radios[address] ?? false }

    /// The controller of a radio or device; `nil` of a radio that is off.
    func controller(at address: BluetoothAddress) throws(BluetoothError) -> VirtualAir.ControllerID? {
        if let controller = controllers[address] { return controller }
        guard radios[address] == false else {
            throw .invalidArgument("Nothing on this air has the address \(address).")
        }
        return nil
    }

    /// - Returns: The controller that goes; `nil` when the radio was off.
    mutating func switchOff(_ address: BluetoothAddress) throws(BluetoothError) -> VirtualAir.ControllerID? {
        guard radios[address] != nil else {
            throw .invalidArgument("No radio on this air has the address \(address).")
        }
        radios[address] = false
        return controllers.removeValue(forKey: address)
    }

    mutating func switchOn(_ address: BluetoothAddress) {
        if radios[address] != nil { radios[address] = true }
    }
}

extension VirtualRadio {
    /// Switches a radio off: its links and scans end, its server too, and what is asked of it throws
    /// ``BluetoothError/radioUnavailable(_:)``.
    ///
    /// - Parameter address: Which radio.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` when it is none of this air's radios.
    public func switchOff(_ address: BluetoothAddress) throws(BluetoothError) {
        if let controller = try addresses.switchOff(address) { detach(controller) }
    }

    /// Switches a radio on again; like one of hardware it notices within ten seconds of the air's clock (`waitUntilReady`).
    ///
    /// - Parameter address: Which radio; nothing happens when it is on.
    public func switchOn(_ address: BluetoothAddress) { addresses.switchOn(address) }

    /// Moves a radio or device.
    ///
    /// - Parameters:
    ///   - address: Whose; nothing happens when it is switched off.
    ///   - position: Where it stands from now on; what is farther than a hundred metres hears little, a thousand nothing.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` when nothing on this air has that address.
    public func move(
        _ address: BluetoothAddress, to position: VirtualAir.Position
    ) throws(BluetoothError) {
        if let controller = try addresses.controller(at: address) { move(controller, to: position) }
    }
}
