// SPDX-License-Identifier: Apache-2.0

package import BLEWire

/// What a page asks of a value that it explores, as the body of a request has it.
package struct ExplorerOrder: Sendable {
    /// The handle of the value or descriptor.
    package let handle: AttributeHandle
    private let body: JSONNode

    /// Reads the body of a request.
    ///
    /// - Throws: ``HubError/badValue(_:)`` when it names no handle.
    package init(_ body: JSONNode?) throws(HubError) {
        guard let body, let handle = try HubError.whole("handle", 1...65_535, in: body) else {
            throw .missing("handle")
        }
        self.body = body
        self.handle = AttributeHandle(rawValue: UInt16(handle))
    }

    /// Whether the value is to be watched, or no longer.
    package var isOn: Bool { body.value(of: "on") == .bool(true) }
    /// Whether the device is to answer a write.
    package var isAnswered: Bool { body.value(of: "response") != .bool(false) }
    /// Whether somebody has confirmed that the device may be written to.
    package var isConfirmed: Bool { body.value(of: "confirmed") == .bool(true) }

    /// What is to be written.
    ///
    /// - Throws: ``HubError/badValue(_:)`` that says what is wrong with it.
    package func octets() throws(HubError) -> [UInt8] {
        guard case .text(let word)? = body.value(of: "form"), let form = WrittenForm(rawValue: word),
            case .text(let text)? = body.value(of: "value")
        else { throw .badValue("Say what to write, and in which form.") }
        do throws(BadInput) { return try form.octets(of: text) } catch { throw .badValue(error.description) }
    }
}
