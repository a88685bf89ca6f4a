// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)

extension Peer: Codable {
    /// Reads the text of ``description``.
    ///
    /// - Parameter decoder: Where to read.
    /// - Throws: What the decoder throws, and `DecodingError` when the text names no device.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let peer = Peer(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "neither an address nor an identifier")
        }
        self = peer
    }

    /// Writes ``description``.
    ///
    /// - Parameter encoder: Where to write.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

#endif
