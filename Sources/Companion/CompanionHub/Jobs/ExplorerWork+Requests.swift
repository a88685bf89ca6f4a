// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import BluetoothLE
package import Companion
import CompanionDevices
import CompanionText

extension ExplorerWork {
    /// What a device made of a write.
    private enum Written {
        case taken
        case refused(ATT.ErrorCode)
    }

    /// Reads a value.
    ///
    /// - Parameter handle: The handle of the value or descriptor.
    /// - Returns: The value or its first part, or why the device refuses it.
    /// - Throws: ``HubFault`` when the device could not be asked.
    package func read(_ handle: Int) async throws(HubFault) -> ExplorerValue {
        let handle = try Self.attribute(handle)
        let (reading, _) = try await ask { try await GATTTree.read(handle, over: $0) }
        note(reading, at: handle)
        change { $0.trouble = reading.error.map { "Reading was refused: \($0)." } }
        return keep(
            part(handle), .read, reading.octets, incomplete: reading.incomplete, error: reading.error,
            code: reading.errorCode)
    }

    /// Writes a value.
    ///
    /// - Parameters:
    ///   - octets: The value.
    ///   - handle: The handle of the value or descriptor.
    ///   - isAnswered: Whether the device is to answer.
    /// - Returns: The value, or why the device refuses it.
    /// - Throws: ``HubFault`` when the device could not be asked.
    package func write(
        _ octets: [UInt8], to handle: Int, isAnswered: Bool
    ) async throws(HubFault) -> ExplorerValue {
        let handle = try Self.attribute(handle)
        let attribute = part(handle)
        let written = try await ask { connection in
            do throws(BluetoothError) {
                if isAnswered {
                    try await connection.write(octets, to: ValueHandle(handle))
                } else {
                    try await connection.writeWithoutResponse(octets, to: ValueHandle(handle))
                }
                return Written.taken
            } catch .refused(let code) {
                return Written.refused(code)
            }
        }
        let kind: ExplorerValue.Kind = isAnswered ? .write : .writeWithoutResponse
        guard case .refused(let code) = written else {
            change { $0.trouble = nil }
            return keep(attribute, kind, octets)
        }
        var reason = code.description
        if let properties = attribute.target?.characteristic?.properties,
            properties.contains(.writeWithoutResponse), !properties.contains(.write)
        {
            reason += "; it takes writes without response only"
        }
        change { $0.trouble = "Writing was refused: \(reason)." }
        return keep(attribute, kind, octets, error: reason, code: code)
    }

    /// Notes that somebody has confirmed that the device may be written to.
    package func confirmWriting() { if !explorer.mayWrite { change { $0.mayWrite = true } } }

    /// Subscribes to a value, or no longer.
    ///
    /// - Parameters:
    ///   - handle: The handle of the value.
    ///   - isOn: Whether it is wanted.
    /// - Throws: ``HubFault`` when the device refuses, or sends nothing by itself.
    package func watch(_ handle: Int, isOn: Bool) async throws(HubFault) {
        let attribute = try Self.attribute(handle)
        guard let characteristic = targets[attribute]?.characteristic else {
            throw .badValue("Only the value of a characteristic can be subscribed to.")
        }
        try await ask { connection in
            if isOn {
                try await connection.switchOn(characteristic)
            } else {
                try await connection.subscribe([], to: characteristic)
            }
        }
        change { explorer in
            explorer.watched.removeAll { $0 == handle }
            if isOn { explorer.watched.append(handle) }
            explorer.trouble = nil
        }
        if isOn, characteristic.clientConfigurationHandle == nil {
            let event = ConfigurationMissing(peer, part(attribute))
            change { $0.note(event.line.text, at: clock.now()) }
        }
    }

    /// Finds and reads everything once more.
    ///
    /// - Throws: ``HubFault`` when the device is not connected.
    package func refresh() async throws(HubFault) {
        try await ask { _ in }
        exploreAgain()
    }

    /// Pairs with the device; what it shows or asks is shown or asked on the pages.
    ///
    /// - Throws: ``HubFault`` that says why it cannot be.
    package func pair() async throws(HubFault) {
        guard explorer.canPair else {
            throw .notNow("This radio cannot pair. Where the system pairs, do it in the system's settings.")
        }
        guard !explorer.isPairing, let radio else { throw .notNow("The device is being paired already.") }
        change { $0.isPairing = true }
        await desk.personBegins(peer)
        let agent = await desk.agent(begunBy: .person, on: radio)
        let result: Result<LinkSecurity, any Error>
        do throws(HubFault) {
            result = try await ask { connection in
                let task = Task { try await connection.pair(agent) as LinkSecurity }
                pairing = task
                return await task.result
            }
        } catch {
            change { $0.isPairing = false }
            throw error
        }
        pairing = nil
        switch result {
        case .success(let security):
            change { explorer in
                (explorer.isPairing, explorer.trouble) = (false, nil)
                explorer.set(security)
            }
            await desk.ended(peer, .success(security))
        case .failure(let error):
            let error = error as? BluetoothError ?? .cancelled
            let sentence = "\(error)"
            change { explorer in (explorer.isPairing, explorer.trouble) = (false, sentence) }
            await desk.ended(peer, .failure(error))
            throw .notNow(sentence)
        }
        // What was refused before may be read now.
        exploreAgain()
    }

    /// Gives up the pairing that a page has begun.
    package func cancelPairing() { pairing?.cancel() }

    /// The values of the log.
    ///
    /// - Parameters:
    ///   - handle: Of which attribute; `nil` for all.
    ///   - number: Only values before this one; `nil` for all.
    ///   - limit: How many at most.
    /// - Returns: The values, the newest first.
    package func logged(
        of handle: Int? = nil, before number: Int? = nil, limit: Int = .max
    ) -> [ExplorerValue] {
        log.values(of: handle, before: number, limit: limit)
    }

    /// How many values there were since the job began.
    ///
    /// - Parameter handle: Of which attribute; `nil` for all.
    /// - Returns: The number.
    package func total(of handle: Int?) -> Int {
        guard let handle else { return log.total }
        return UInt16(exactly: handle).map { log.count(of: $0) } ?? 0
    }

    private static func attribute(_ handle: Int) throws(HubFault) -> AttributeHandle {
        guard let number = UInt16(exactly: handle), number > 0 else {
            throw .badValue("A handle is a number from 1 to 65535.")
        }
        return AttributeHandle(rawValue: number)
    }
}
