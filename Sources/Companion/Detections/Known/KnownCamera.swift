// SPDX-License-Identifier: Apache-2.0

public import Companion

/// A camera of a set that the user has brought: others know that it stands there.
public struct KnownCamera: Hashable, Sendable, Identifiable {
    /// Its number in this database.
    public let id: Int64
    /// The name of its set.
    public let set: String
    /// What it is called.
    public let name: String
    /// Where it stands.
    public let position: Position
    /// Where it looks, in degrees from north, clockwise, the first one said first; none when nobody has said.
    public let directions: [Double]
    /// What names it where it comes from, such as `node/123`.
    public let reference: String

    /// Makes a camera.
    public init(
        id: Int64, set: String, name: String, position: Position, directions: [Double], reference: String
    ) {
        self.id = id
        self.set = set
        self.name = name
        self.position = position
        self.directions = directions
        self.reference = reference
    }
}

extension KnownCamera {
    /// Writes cameras of a part of the map into an object.
    ///
    /// - Parameters:
    ///   - cameras: The cameras.
    ///   - more: Whether there are more of them there.
    ///   - json: The object.
    package static func writeValues(
        of cameras: [KnownCamera], more: Bool, into json: inout JSONWriter
    ) {
        json.key("known")
        json.array { json in
            for camera in cameras {
                json.object { json in
                    json.field("id", camera.id)
                    json.field("set", camera.set)
                    json.field("name", camera.name)
                    json.field("latitude", camera.position.latitude)
                    json.field("longitude", camera.position.longitude)
                    json.field("direction", camera.directions.first)
                    json.key("directions")
                    json.array { json in for direction in camera.directions { json.value(direction) } }
                    json.field("reference", camera.reference)
                }
            }
        }
        json.field("more", more)
    }
}

/// A camera of a file, before it is stored.
public struct ListedCamera: Hashable, Sendable {
    /// What names it where it comes from.
    public var reference: String
    /// What it is called.
    public var name: String
    /// Where it stands.
    public var position: Position
    /// Where it looks, in degrees from north, clockwise, 0 to 360; a camera may look to several sides.
    public var directions: [Double]
    /// What else is said of it: the text of one JSON object.
    public var tags: String

    package init(reference: String, name: String, position: Position, directions: [Double], tags: String) {
        (self.reference, self.name, self.position) = (reference, name, position)
        (self.directions, self.tags) = (directions, tags)
    }

    /// Reads where a camera looks out of its tags.
    ///
    /// - Parameter tags: The text of one JSON object.
    /// - Returns: Degrees from north, clockwise.
    package static func directions(inTags tags: String) -> [Double] { CameraDirections.all(json: tags) }
}

/// A set of cameras that others know.
public struct ReferenceCameras: Hashable, Sendable {
    /// Its name, which no other set has.
    public var name: String
    /// How many cameras it has.
    public var cameras: Int
    /// Where it comes from.
    public var origin: String
    /// Which version it is, as the file says; empty when it does not.
    public var version: String
    /// When it was imported.
    public var imported: Timestamp

    /// The most octets that a name has.
    public static let longestName = 100

    /// Makes a set.
    public init(name: String, cameras: Int, origin: String, version: String, imported: Timestamp) {
        self.name = name
        self.cameras = cameras
        self.origin = origin
        self.version = version
        self.imported = imported
    }
}

/// The camera of a set that is nearest to a place.
public struct KnownNearby: Hashable, Sendable, EventPart {
    /// How far away a camera may be to be near, in metres.
    public static let reach = 100.0

    /// The camera.
    public let camera: KnownCamera
    /// How far away it is, in metres.
    public let metres: Double

    /// Makes a part.
    public init(_ camera: KnownCamera, metres: Double) {
        self.camera = camera
        self.metres = metres
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("name", "What it is called.") { $0.camera.name }
        schema.integer("metres", "How far away it is.") { Int($0.metres.rounded()) }
        schema.text("set", "The set in which it is known.") { $0.camera.set }
        schema.text("reference", "What names it where it comes from.") { $0.camera.reference }
    }
}
