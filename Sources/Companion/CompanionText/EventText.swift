// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion

/// An event that has one line of text.
public protocol EventText: Event {
    /// The line.
    var line: EventLine { get }
}

/// One line about an event, without escapes or colours: whoever shows it decides how a tone looks, and escapes what
/// came over the air.
public struct EventLine: Hashable, Sendable {
    /// What an event means to the reader.
    public enum Tone: Sendable {
        /// Something has begun or gone well.
        case good
        /// A device or person has come.
        case arrival
        /// Something has come in.
        case incoming
        /// Something has gone out.
        case outgoing
        /// Something to look at.
        case warning
        /// Something has failed.
        case failure
        /// Nothing to look at.
        case quiet
    }

    /// What it means.
    public let tone: Tone
    /// What has happened.
    public let text: String
    /// Whether as much of it as fits into a line is enough: it ends with octets or names that may be very long.
    public let mayBeCut: Bool
    /// The colours that it is about; where there are colours, patches of them take the place of the mark.
    public let colors: [RGBColor]

    /// Makes a line.
    public init(_ tone: Tone, _ text: String, mayBeCut: Bool = false, colors: [RGBColor] = []) {
        self.tone = tone
        self.text = text
        self.mayBeCut = mayBeCut
        self.colors = colors
    }

    /// One character that stands for the tone.
    public var mark: StaticString {
        switch tone {
        case .good, .arrival: "●"
        case .incoming: "←"
        case .outgoing: "→"
        case .warning: "▲"
        case .failure: "✕"
        case .quiet: "○"
        }
    }
}
