// SPDX-License-Identifier: Apache-2.0

/// A point within a rectangle, from 0 to 1 each way.
public struct UnitPoint: Hashable, Sendable {
    /// From the left, or from where lines begin.
    public var x: CGFloat
    /// From the top.
    public var y: CGFloat

    /// The corner at the top where lines begin.
    public init() { self.init(x: 0, y: 0) }

    /// A point.
    public init(x: CGFloat, y: CGFloat) {
        self.x = x
        self.y = y
    }

    /// The corner at the top where lines begin.
    public static let zero = UnitPoint()
    /// The middle.
    public static let center = UnitPoint(x: 0.5, y: 0.5)
    /// The middle of where lines begin.
    public static let leading = UnitPoint(x: 0, y: 0.5)
    /// The middle of where lines end.
    public static let trailing = UnitPoint(x: 1, y: 0.5)
    /// The middle of the top.
    public static let top = UnitPoint(x: 0.5, y: 0)
    /// The middle of the bottom.
    public static let bottom = UnitPoint(x: 0.5, y: 1)
    /// A corner at the top.
    public static let topLeading = UnitPoint(x: 0, y: 0)
    /// A corner at the top.
    public static let topTrailing = UnitPoint(x: 1, y: 0)
    /// A corner at the bottom.
    public static let bottomLeading = UnitPoint(x: 0, y: 1)
    /// A corner at the bottom.
    public static let bottomTrailing = UnitPoint(x: 1, y: 1)
}

/// An angle.
public struct Angle: Hashable, Comparable, Sendable {
    /// The angle, of which a whole turn has two pi.
    public var radians: Double

    /// The angle, of which a whole turn has 360.
    public var degrees: Double {
        get { radians * 180 / .pi }
        set { radians = newValue * .pi / 180 }
    }

    /// No angle.
    public init() { radians = 0 }
    /// An angle of which a whole turn has two pi.
    public init(radians: Double) { self.radians = radians }
    /// An angle of which a whole turn has 360.
    public init(degrees: Double) { radians = degrees * .pi / 180 }
    /// An angle of which a whole turn has two pi.
    public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }
    /// An angle of which a whole turn has 360.
    public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }
    /// No angle.
    public static let zero = Angle()
    /// Which is less.
    public static func < (lhs: Angle, rhs: Angle) -> Bool { lhs.radians < rhs.radians }
}

/// One side of a rectangle.
public enum Edge: Int8, CaseIterable, Sendable {
    /// Above.
    case top
    /// Where lines begin.
    case leading
    /// Below.
    case bottom
    /// Where lines end.
    case trailing

    /// Some sides of a rectangle.
    public struct Set: OptionSet, Sendable {
        /// The number of the set.
        public let rawValue: Int8
        /// The set with a number.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// The set of one side.
        public init(_ e: Edge) { rawValue = 1 << e.rawValue }
        /// Above.
        public static let top = Set(.top)
        /// Where lines begin.
        public static let leading = Set(.leading)
        /// Below.
        public static let bottom = Set(.bottom)
        /// Where lines end.
        public static let trailing = Set(.trailing)
        /// All sides.
        public static let all: Set = [.top, .leading, .bottom, .trailing]
        /// Both sides of a line.
        public static let horizontal: Set = [.leading, .trailing]
        /// Above and below.
        public static let vertical: Set = [.top, .bottom]
    }
}

/// The side where lines begin, or where they end.
public enum HorizontalEdge: Int8, CaseIterable, Codable, Sendable {
    /// Where lines begin.
    case leading
    /// Where lines end.
    case trailing

    /// Both, one or none of these.
    public struct Set: OptionSet, Sendable {
        /// The number of the set.
        public let rawValue: Int8
        /// The set with a number.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// Where lines begin.
        public static let leading = Set(rawValue: 1)
        /// Where lines end.
        public static let trailing = Set(rawValue: 2)
        /// Both.
        public static let all: Set = [.leading, .trailing]
    }
}

/// Above or below.
public enum VerticalEdge: Int8, CaseIterable, Codable, Sendable {
    /// Above.
    case top
    /// Below.
    case bottom

    /// Both, one or none of these.
    public struct Set: OptionSet, Sendable {
        /// The number of the set.
        public let rawValue: Int8
        /// The set with a number.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// Above.
        public static let top = Set(rawValue: 1)
        /// Below.
        public static let bottom = Set(rawValue: 2)
        /// Both.
        public static let all: Set = [.top, .bottom]
    }
}

/// How far in something is at each side.
public struct EdgeInsets: Equatable, Sendable {
    /// Above.
    public var top: CGFloat
    /// Where lines begin.
    public var leading: CGFloat
    /// Below.
    public var bottom: CGFloat
    /// Where lines end.
    public var trailing: CGFloat

    /// Not at all.
    public init() { self.init(top: 0, leading: 0, bottom: 0, trailing: 0) }

    /// As far as this at each side.
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }
}

/// A direction.
public enum Axis: Int8, CaseIterable, Sendable {
    /// Along a line.
    case horizontal
    /// Up and down.
    case vertical

    /// Both, one or none of these.
    public struct Set: OptionSet, Sendable {
        /// The number of the set.
        public let rawValue: Int8
        /// The set with a number.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// Along a line.
        public static let horizontal = Set(rawValue: 1)
        /// Up and down.
        public static let vertical = Set(rawValue: 2)
    }
}

/// How things are placed beside each other along a line.
public struct HorizontalAlignment: Equatable, Sendable {
    let name: String
    /// Where lines begin.
    public static let leading = HorizontalAlignment(name: "leading")
    /// In the middle.
    public static let center = HorizontalAlignment(name: "center")
    /// Where lines end.
    public static let trailing = HorizontalAlignment(name: "trailing")
    /// Where the list's lines begin.
    public static let listRowSeparatorLeading = HorizontalAlignment(name: "listRowSeparatorLeading")
}

/// How things are placed beside each other up and down.
public struct VerticalAlignment: Equatable, Sendable {
    let name: String
    /// Above.
    public static let top = VerticalAlignment(name: "top")
    /// In the middle.
    public static let center = VerticalAlignment(name: "center")
    /// Below.
    public static let bottom = VerticalAlignment(name: "bottom")
    /// By the first line of text.
    public static let firstTextBaseline = VerticalAlignment(name: "firstTextBaseline")
    /// By the last line of text.
    public static let lastTextBaseline = VerticalAlignment(name: "lastTextBaseline")
}

/// How things are placed upon each other.
public struct Alignment: Equatable, Sendable {
    /// Along a line.
    public var horizontal: HorizontalAlignment
    /// Up and down.
    public var vertical: VerticalAlignment

    /// Both directions.
    public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// In the middle.
    public static let center = Alignment(horizontal: .center, vertical: .center)
    /// Where lines begin.
    public static let leading = Alignment(horizontal: .leading, vertical: .center)
    /// Where lines end.
    public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
    /// Above.
    public static let top = Alignment(horizontal: .center, vertical: .top)
    /// Below.
    public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
    /// Above, where lines begin.
    public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
    /// Above, where lines end.
    public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
    /// Below, where lines begin.
    public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
    /// Below, where lines end.
    public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
}

/// How the lines of text are aligned.
public enum TextAlignment: Hashable, CaseIterable, Sendable {
    /// Where lines begin.
    case leading
    /// In the middle.
    case center
    /// Where lines end.
    case trailing
}
