// SPDX-License-Identifier: Apache-2.0

/// Where and when a receiver of satellites, or whatever else knows, says that it is.
public struct Fix: Hashable, Sendable {
    /// What said it.
    public enum Source: UInt8, Hashable, Sendable, CaseIterable {
        /// A person, once for all.
        case fixed
        /// A receiver, through gpsd.
        case receiver
        /// A recorded track.
        case track
        /// A browser.
        case browser

        /// The word for files and scripts.
        public var keyword: StaticString {
            switch self {
            case .fixed: "fixed"
            case .receiver: "gpsd"
            case .track: "gpx"
            case .browser: "browser"
            }
        }
    }

    /// When, in milliseconds since 1970, by the clock of the source.
    public var time: Int64
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// Metres above the sea.
    public var altitude: Double?
    /// How far it may be wrong: in two of three cases less than so many metres.
    public var accuracy: Double?
    /// How far the altitude may be wrong, in metres.
    public var altitudeAccuracy: Double?
    /// Metres a second over ground, as the source says.
    public var speed: Double?
    /// Degrees from north, clockwise, as the source says.
    public var course: Double?
    /// What said it.
    public var source: Source

    /// Makes a fix.
    public init(
        time: Int64, latitude: Double, longitude: Double, altitude: Double? = nil, accuracy: Double? = nil,
        altitudeAccuracy: Double? = nil, speed: Double? = nil, course: Double? = nil, source: Source
    ) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.accuracy = accuracy
        self.altitudeAccuracy = altitudeAccuracy
        self.speed = speed
        self.course = course
        self.source = source
    }

    /// The same fix without what cannot be: negative accuracies and speeds, courses beyond a circle, numbers that are none.
    var cleaned: Fix {
        var fix = self
        if let altitude, !(-12_000...100_000).contains(altitude) { fix.altitude = nil }
        if let accuracy, !(0...100_000).contains(accuracy) { fix.accuracy = nil }
        if let altitudeAccuracy, !(0...100_000).contains(altitudeAccuracy) { fix.altitudeAccuracy = nil }
        if let speed, !(0...1000).contains(speed) { fix.speed = nil }
        if let course, !(0...360).contains(course) { fix.course = nil }
        return fix
    }

    /// Whether this is another one of the same moment and place that knows more: a receiver tells a moment in several
    /// sentences, and gpsd cannot know at first which is the last of them.
    func completes(_ other: Fix) -> Bool {
        guard source == other.source, time == other.time, abs(latitude - other.latitude) < 0.0001,
            abs(longitude - other.longitude) < 0.0001
        else { return false }
        return other.completed(by: self) != other
    }

    /// The same fix with what only another one knows.
    func completed(by other: Fix) -> Fix {
        var fix = self
        fix.altitude = altitude ?? other.altitude
        fix.accuracy = accuracy ?? other.accuracy
        fix.altitudeAccuracy = altitudeAccuracy ?? other.altitudeAccuracy
        fix.speed = speed ?? other.speed
        fix.course = course ?? other.course
        return fix
    }
}

/// Why a fix is not used.
public enum FixError: UInt8, Error, Hashable, Sendable, CaseIterable {
    /// Its latitude or longitude is beyond the globe, or no number.
    case outOfRange
    /// Its time is before 1970 or after the year 9999.
    case noTime
    /// It is where the equator meets the meridian of Greenwich: what sources say that do not know.
    case nowhere
    /// Its time is that of the one before it, or earlier.
    case notNewer
    /// It came more than 10 s later after its own time than others do.
    case stale
    /// Nothing moves so fast from the place before it.
    case jump

    /// The word for files and scripts.
    public var keyword: StaticString {
        switch self {
        case .outOfRange: "out_of_range"
        case .noTime: "no_time"
        case .nowhere: "nowhere"
        case .notNewer: "not_newer"
        case .stale: "stale"
        case .jump: "jump"
        }
    }

    /// Why, in words that follow "The fix".
    public var text: StaticString {
        switch self {
        case .outOfRange: "has no place on the globe"
        case .noTime: "has no time that can be"
        case .nowhere: "has the place 0,0, which sources say that know none"
        case .notNewer: "is not newer than the one before it"
        case .stale: "is too old"
        case .jump: "is too far from the one before it"
        }
    }
}
