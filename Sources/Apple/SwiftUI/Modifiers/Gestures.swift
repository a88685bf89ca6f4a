// SPDX-License-Identifier: Apache-2.0

/// What a finger does.
@MainActor @preconcurrency public protocol Gesture<Value> {
    /// What it tells.
    associatedtype Value
}

/// A finger that moves.
public struct DragGesture: Gesture {
    /// Where the finger is, and where it came from.
    public struct Value: Equatable, Sendable {
        /// When it is there.
        public var time: Date
        /// Where it is.
        public var location: CGPoint
        /// Where it came from.
        public var startLocation: CGPoint

        /// How far it has gone.
        public var translation: CGSize {
            CGSize(width: location.x - startLocation.x, height: location.y - startLocation.y)
        }

        /// How fast the finger is, in points a second.
        public var velocity: CGSize

        /// How far it would go if it were let go now: a quarter of a second further.
        public var predictedEndTranslation: CGSize {
            CGSize(
                width: translation.width + velocity.width / 4,
                height: translation.height + velocity.height / 4)
        }

        /// Where it would stop if it were let go now.
        public var predictedEndLocation: CGPoint {
            CGPoint(
                x: startLocation.x + predictedEndTranslation.width,
                y: startLocation.y + predictedEndTranslation.height)
        }
    }

    /// How far it has to go first.
    nonisolated public let minimumDistance: CGFloat

    /// A finger that moves by a distance.
    nonisolated public init(
        minimumDistance: CGFloat = 10, coordinateSpace: some CoordinateSpaceProtocol = .local
    ) {
        self.minimumDistance = minimumDistance
    }
}

/// What places are measured from.
public protocol CoordinateSpaceProtocol {}

/// The view itself.
public struct LocalCoordinateSpace: CoordinateSpaceProtocol {
    /// The view itself.
    public init() {}
}

/// The whole screen.
public struct GlobalCoordinateSpace: CoordinateSpaceProtocol {
    /// The whole screen.
    public init() {}
}

extension CoordinateSpaceProtocol where Self == LocalCoordinateSpace {
    /// The view itself.
    public static var local: LocalCoordinateSpace { .init() }
}

extension CoordinateSpaceProtocol where Self == GlobalCoordinateSpace {
    /// The whole screen.
    public static var global: GlobalCoordinateSpace { .init() }
}

/// A short touch.
public struct TapGesture: Gesture {
    /// Nothing is told.
    public typealias Value = ()
    /// How often.
    nonisolated public let count: Int
    /// So many touches.
    nonisolated public init(count: Int = 1) { self.count = count }
}

/// A long touch.
public struct LongPressGesture: Gesture {
    /// Whether it was long enough.
    public typealias Value = Bool
    /// How long, in seconds.
    nonisolated public let minimumDuration: Double
    /// A touch of so many seconds.
    nonisolated public init(minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10) {
        self.minimumDuration = minimumDuration
    }
}

/// A gesture that tells that it goes on.
public struct _ChangedGesture<Content>: Gesture where Content: Gesture {
    /// As the gesture.
    public typealias Value = Content.Value
    nonisolated(unsafe) let content: Content
    nonisolated(unsafe) let action: (Content.Value) -> Void

    nonisolated init(_ content: Content, _ action: @escaping (Content.Value) -> Void) {
        self.content = content
        self.action = action
    }
}

/// A gesture that tells that it is over.
public struct _EndedGesture<Content>: Gesture where Content: Gesture {
    /// As the gesture.
    public typealias Value = Content.Value
    nonisolated(unsafe) let content: Content
    nonisolated(unsafe) let action: (Content.Value) -> Void

    nonisolated init(_ content: Content, _ action: @escaping (Content.Value) -> Void) {
        self.content = content
        self.action = action
    }
}

extension Gesture {
    /// Does something when it is over.
    nonisolated public func onEnded(_ action: @escaping (Self.Value) -> Void) -> _EndedGesture<Self> {
        _EndedGesture(self, action)
    }
}

extension Gesture where Value: Equatable {
    /// Does something as it goes on.
    nonisolated public func onChanged(_ action: @escaping (Self.Value) -> Void) -> _ChangedGesture<Self> {
        _ChangedGesture(self, action)
    }
}

/// A gesture that a node can take.
private protocol Performed {
    func attach(to node: Node)
}

extension _ChangedGesture: Performed {
    nonisolated fileprivate func attach(to node: Node) {
        (content as? any Performed)?.attach(to: node)
        let action = action
        node.drags.append { value, isOver in
            if !isOver, let value = value as? Content.Value { action(value) }
        }
    }
}

extension _EndedGesture: Performed {
    nonisolated fileprivate func attach(to node: Node) {
        (content as? any Performed)?.attach(to: node)
        let action = action
        if Content.Value.self == Void.self, let nothing = () as? Content.Value {
            node.press = { action(nothing) }
        } else if Content.Value.self == Bool.self, let done = true as? Content.Value {
            node.longPress = { action(done) }
        } else {
            node.drags.append { value, isOver in
                if isOver, let value = value as? Content.Value { action(value) }
            }
        }
    }
}

/// Which gestures of a view are taken.
public struct GestureMask: OptionSet, Sendable {
    /// The number of the set.
    public let rawValue: UInt32
    /// The set with a number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// None.
    public static let none: GestureMask = []
    /// That of the modifier.
    public static let gesture = GestureMask(rawValue: 1)
    /// Those of the view.
    public static let subviews = GestureMask(rawValue: 2)
    /// All.
    public static let all: GestureMask = [.gesture, .subviews]
}

extension View {
    nonisolated private func performing<T: Gesture>(_ gesture: T) -> some View {
        altered { _, nodes in
            // What is drawn only can be touched, too.
            let node = nodes.isEmpty ? Node(.shape) : Node.joining(nodes)
            (gesture as? any Performed)?.attach(to: node)
            return [node]
        }
    }

    /// Lets the view take a gesture.
    nonisolated public func gesture<T>(_ gesture: T, including mask: GestureMask = .all) -> some View
    where T: Gesture { performing(gesture) }

    /// Lets the view take a gesture before its parts do.
    nonisolated public func highPriorityGesture<T>(
        _ gesture: T, including mask: GestureMask = .all
    ) -> some View where T: Gesture { performing(gesture) }

    /// Lets the view take a gesture beside others.
    nonisolated public func simultaneousGesture<T>(
        _ gesture: T, including mask: GestureMask = .all
    ) -> some View where T: Gesture { performing(gesture) }

    /// Does something when the view is touched.
    nonisolated public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View {
        performing(TapGesture(count: count).onEnded { action() })
    }

    /// Does something when the view is touched for long.
    nonisolated public func onLongPressGesture(
        minimumDuration: Double = 0.5, perform action: @escaping () -> Void,
        onPressingChanged: ((Bool) -> Void)? = nil
    ) -> some View {
        performing(LongPressGesture(minimumDuration: minimumDuration).onEnded { _ in action() })
    }
}
