// SPDX-License-Identifier: Apache-2.0

/// What surrounds a view.
public struct EnvironmentValues: CustomStringConvertible {
    private var values: [ObjectIdentifier: Any] = [:]
    private var objects: [ObjectIdentifier: AnyObject] = [:]

    /// Whether people can use controls.
    public var isEnabled = true
    /// The language and region.
    public var locale = Locale(identifier: "en_GB")
    /// The calendar for dates.
    public var calendar = Calendar(identifier: .gregorian)
    /// The time zone for dates.
    public var timeZone = TimeZone.current
    /// Which way text runs.
    public var layoutDirection = LayoutDirection.leftToRight
    /// The size of text that the person has chosen.
    public var dynamicTypeSize = DynamicTypeSize.large
    /// Whether the screen is light or dark.
    public var colorScheme = ColorScheme.light
    /// How much contrast the person has asked for.
    public internal(set) var colorSchemeContrast = ColorSchemeContrast.standard
    /// How wide the window is; compact, as on a phone.
    public var horizontalSizeClass: UserInterfaceSizeClass? = .compact
    /// How high the window is.
    public var verticalSizeClass: UserInterfaceSizeClass? = .regular
    /// Whether the app is in front.
    public var scenePhase = ScenePhase.active
    /// Opens an address.
    public var openURL = OpenURLAction.ofSystem { _ in }
    /// Takes the sheet or page away that the view is on.
    public internal(set) var dismiss = DismissAction {}
    /// Whether the view is on a sheet.
    public internal(set) var isPresented = false
    /// Whether the person is searching.
    public internal(set) var isSearching = false
    /// Ends the search.
    public internal(set) var dismissSearch = DismissSearchAction {}
    /// Loads the content again.
    public internal(set) var refresh: RefreshAction?
    /// Why text is not shown as it is.
    public var redactionReasons = RedactionReasons()
    /// Whether a person changes what is in lists, and how that is begun and ended.
    public var editMode: Binding<EditMode>?
    /// The font for text without one.
    public var font: Font?
    /// How many lines text may have.
    public var lineLimit: Int?
    /// How the lines of text are aligned.
    public var multilineTextAlignment = TextAlignment.leading
    /// How much smaller text may become.
    public var minimumScaleFactor: CGFloat = 1
    /// How large controls are.
    public var controlSize = ControlSize.regular
    /// How many points a pixel has.
    public var displayScale: CGFloat = 3
    /// How prominent the headers of sections are.
    public var headerProminence = Prominence.standard
    /// Whether things that move are asked to be still.
    public internal(set) var accessibilityReduceMotion = false
    /// Whether colour alone must not tell things apart.
    public internal(set) var accessibilityDifferentiateWithoutColor = false
    /// Whether transparency is unwanted.
    public internal(set) var accessibilityReduceTransparency = false
    /// Whether VoiceOver is on.
    public internal(set) var accessibilityVoiceOverEnabled = false
    /// Whether buttons are to have visible shapes.
    public internal(set) var accessibilityShowButtonShapes = false

    /// What is done when a text field is left by its return key.
    var submit: [(SubmitTriggers, () -> Void)] = []
    var pickerStyle = "automatic"
    var areLabelsHidden = false
    var selection: ListSelection?
    /// How much room there is, in points.
    package var room = CGSize(width: 390, height: 844)

    /// The values of a phone in English, with nothing changed.
    public init() {}

    /// The value for a key.
    public subscript<K>(key: K.Type) -> K.Value where K: EnvironmentKey {
        get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// The object of a type.
    public subscript<T>(objectType: T.Type) -> T? where T: AnyObject, T: Observable {
        get { objects[ObjectIdentifier(objectType)] as? T }
        set { objects[ObjectIdentifier(objectType)] = newValue }
    }

    /// How much is there, for people who look for mistakes.
    public var description: String { "\(values.count) values, \(objects.count) objects" }
}

/// Which way text runs.
public enum LayoutDirection: Hashable, CaseIterable, Sendable {
    /// As in English.
    case leftToRight
    /// As in Arabic.
    case rightToLeft
}

/// Light or dark.
public enum ColorScheme: CaseIterable, Sendable {
    /// Dark on light.
    case light
    /// Light on dark.
    case dark
}

/// How much contrast there is.
public enum ColorSchemeContrast: CaseIterable, Sendable {
    /// As usual.
    case standard
    /// More than usual.
    case increased
}

/// How much room there is.
public enum UserInterfaceSizeClass: Sendable {
    /// Little.
    case compact
    /// Much.
    case regular
}

/// How much something stands out.
public enum Prominence: Sendable {
    /// As usual.
    case standard
    /// More than usual.
    case increased
}

/// The sizes of text that a person can choose.
public enum DynamicTypeSize: Hashable, Comparable, CaseIterable, Sendable {
    /// The smallest.
    case xSmall
    /// Small.
    case small
    /// Medium.
    case medium
    /// Large, which is what nobody has changed.
    case large
    /// Larger.
    case xLarge
    /// Larger still.
    case xxLarge
    /// The largest without accessibility.
    case xxxLarge
    /// The first for accessibility.
    case accessibility1
    /// The second.
    case accessibility2
    /// The third.
    case accessibility3
    /// The fourth.
    case accessibility4
    /// The largest.
    case accessibility5

    /// Whether it is one of those for accessibility.
    public var isAccessibilitySize: Bool { self >= .accessibility1 }
}

/// Where an app or a scene is in its life.
public enum ScenePhase: Comparable, Sendable {
    /// Not seen.
    case background
    /// Seen, but not used.
    case inactive
    /// Used.
    case active
}
