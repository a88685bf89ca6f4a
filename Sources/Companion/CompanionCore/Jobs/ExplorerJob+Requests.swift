// SPDX-License-Identifier: Apache-2.0

import BLEGATT
package import BLEWire
package import Companion

extension ExplorerJob {
    // MARK: What a page asks for

    /// Takes a request of a page.
    private mutating func take(
        _ request: ClientRequest, for purpose: Purpose, at moment: Moment
    ) throws(HubError) {
        let link: Void? = phase == .open ? () : nil
        try explorer.admit(link, waiting: waiting)
        waiting += 1
        ask(request, for: purpose, at: moment)
    }

    /// Reads a value; the request is answered with it, or with why the device could not be asked.
    ///
    /// - Throws: ``HubError`` when it cannot be asked now.
    package mutating func read(
        _ handle: AttributeHandle, for request: JobRequest, at moment: Moment
    ) throws(HubError) {
        try take(.read(handle), for: .read(handle, request), at: moment)
    }

    /// Writes a value; the request is answered with it, or with why the device could not be asked.
    ///
    /// - Throws: ``HubError`` when it cannot be asked now.
    package mutating func write(
        _ octets: [UInt8], to handle: AttributeHandle, isAnswered: Bool, for request: JobRequest,
        at moment: Moment
    ) throws(HubError) {
        let asked: ClientRequest =
            isAnswered ? .write(handle, octets) : .writeWithoutResponse(handle, octets)
        try take(asked, for: .write(octets, handle, isAnswered: isAnswered, request), at: moment)
    }

    /// Subscribes to a value, or no longer; the request is answered when that is so, or with why not.
    ///
    /// - Throws: ``HubError`` when it cannot be asked now, or sends nothing by itself.
    package mutating func watch(
        _ handle: AttributeHandle, isOn: Bool, for request: JobRequest, at moment: Moment
    ) throws(HubError) {
        guard let characteristic = targets[handle]?.characteristic else {
            throw .badValue("Only the value of a characteristic can be subscribed to.")
        }
        let properties = characteristic.properties
        guard !isOn || properties.contains(.notify) || properties.contains(.indicate) else {
            throw .notNow("This value is not sent by itself. Read it instead.")
        }
        let wanted: GATT.Subscription = !isOn ? [] : properties.contains(.notify) ? .notify : .indicate
        try take(.subscribe(characteristic, wanted), for: .watch(handle, isOn: isOn, request), at: moment)
    }

    /// Notes that somebody has confirmed that the device may be written to.
    package mutating func confirmWriting() {
        guard !explorer.mayWrite else { return }
        explorer.mayWrite = true
        steps.append(.changed)
    }

    // MARK: What its host knows

    /// Takes up what the host knows of the link, such as how strong it is.
    package mutating func change(_ body: (inout HubExplorer) -> Void) {
        body(&explorer)
        steps.append(.changed)
    }

    /// Handles that the host is about to pair with the device, for a page.
    ///
    /// - Throws: ``HubError`` that says why it cannot be.
    package mutating func beginPairing() throws(HubError) {
        guard explorer.canPair else {
            throw .notNow("This radio cannot pair. Where the system pairs, do it in the system's settings.")
        }
        guard !explorer.isPairing else { throw .notNow("The device is being paired already.") }
        let link: Void? = phase == .open ? () : nil
        try explorer.admit(link, waiting: waiting)
        change { $0.isPairing = true }
    }

    /// Handles what the pairing has come to.
    ///
    /// - Parameter trouble: Why it has failed; `nil` when it has not.
    package mutating func endPairing(_ trouble: String?) {
        change { ($0.isPairing, $0.trouble) = (false, trouble) }
        // What was refused before may be read now.
        if trouble == nil { find() }
    }

    // MARK: What it has, once more

    /// Finds and reads everything once more.
    ///
    /// - Throws: ``HubError`` when the device is not connected.
    package mutating func refresh() throws(HubError) {
        guard phase == .open else {
            throw .notNow("The device is not connected. Wait a moment, or connect to it again.")
        }
        find()
    }
}
