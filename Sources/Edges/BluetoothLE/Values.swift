// SPDX-License-Identifier: Apache-2.0

// What programs write and print most.

extension Peer: ExpressibleByStringLiteral {
    /// Reads a device that stands in the code, as in `let lamp: Peer = "C0:FF:EE:00:00:01"`.
    ///
    /// One that is misspelt ends the program with a sentence. Text that comes from elsewhere is read by `Peer(text)`, which gives `nil`.
    ///
    /// - Parameter literal: Six pairs of hex digits with colons, with or without `/P` or `/R` for the kind; or an identifier.
    public init(stringLiteral literal: String) {
        guard let peer = Peer(literal) else {
            fatalError("“\(literal)” is no device: an address is written as in \"C0:FF:EE:00:00:01\".")
        }
        self = peer
    }
}

extension PHY: CustomStringConvertible {
    /// Its name, as in `LE 2M`.
    public var description: String {
        switch self {
        case .le1M: "LE 1M"
        case .le2M: "LE 2M"
        case .leCoded: "LE Coded"
        }
    }
}

extension LinkPHY: CustomStringConvertible {
    /// Both ways, as in `LE 2M` or `LE 2M out, LE 1M in`.
    public var description: String { tx == rx ? "\(tx)" : "\(tx) out, \(rx) in" }
}

extension ConnectionInterval: CustomStringConvertible {
    /// The time, as in `7.5 ms`.
    public var description: String {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1000)
        // A multiple of 250 µs.
        let digits = [0: "", 250: ".25", 500: ".5", 750: ".75"][rest] ?? ""
        return "\(whole)\(digits) ms"
    }
}

extension SupervisionTimeout: CustomStringConvertible {
    /// The time, as in `4000 ms`.
    public var description: String { "\(microseconds / 1000) ms" }
}

extension ConnectionParameters: CustomStringConvertible {
    /// All of them, as in `every 30 ms, lost after 4000 ms of silence`.
    public var description: String {
        let leftOut = latency == 0 ? "" : ", of which \(latency) may be left out"
        return "every \(interval)\(leftOut), lost after \(supervisionTimeout) of silence"
    }
}
