// SPDX-License-Identifier: Apache-2.0

package import Companion

/// What somebody wants of a device.
public struct DeviceChange: Hashable, Sendable {
    /// What its owner calls it, empty for nothing; `nil` leaves it.
    public var ownName: String?
    /// Whether it is connected to by itself; `nil` leaves it.
    public var connectsByItself: Bool?

    /// Makes a change.
    public init(ownName: String? = nil, connectsByItself: Bool? = nil) {
        (self.ownName, self.connectsByItself) = (ownName, connectsByItself)
    }

    /// Reads the body of a request.
    ///
    /// - Parameter body: The body, which is as the request's declaration says.
    package init(_ body: JSONNode?) {
        switch body?.value(of: "own_name") {
        case .text(let text): ownName = text
        case .null: ownName = ""
        default: break
        }
        if case .bool(let flag)? = body?.value(of: "auto_connect") { connectsByItself = flag }
    }
}
