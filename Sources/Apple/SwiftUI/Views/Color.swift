// SPDX-License-Identifier: Apache-2.0

/// A colour.
public struct Color: Hashable, CustomStringConvertible, Sendable {
    enum Storage: Hashable, Sendable {
        case named(String)
        case components(red: Double, green: Double, blue: Double)
    }

    let storage: Storage
    var alpha = 1.0

    /// How the numbers of a colour are meant.
    public enum RGBColorSpace: Hashable, Sendable {
        /// As on the web.
        case sRGB
        /// As on the web, without its curve.
        case sRGBLinear
        /// As on newer phones.
        case displayP3
    }

    init(name: String) { storage = .named(name) }

    /// A colour of red, green and blue, each from 0 to 1.
    public init(
        _ colorSpace: Color.RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double,
        opacity: Double = 1
    ) {
        storage = .components(red: red, green: green, blue: blue)
        alpha = opacity
    }

    /// A grey, from 0 to 1.
    public init(_ colorSpace: Color.RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
        self.init(colorSpace, red: white, green: white, blue: white, opacity: opacity)
    }

    /// A colour of hue, saturation and brightness, each from 0 to 1.
    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        func channel(_ shift: Double) -> Double {
            let position = (shift + hue * 6).truncatingRemainder(dividingBy: 6)
            return brightness - brightness * saturation * max(0, min(position, 4 - position, 1))
        }
        self.init(red: channel(5), green: channel(3), blue: channel(1), opacity: opacity)
    }

    /// A colour of the app.
    public init(_ name: String, bundle: Bundle? = nil) { storage = .named(name) }

    /// The colour, seen through.
    public func opacity(_ opacity: Double) -> Color {
        var copy = self
        copy.alpha *= opacity
        return copy
    }

    /// The colour with some of another.
    public func mix(with rhs: Color, by fraction: Double, in colorSpace: Gradient.ColorSpace = .perceptual)
        -> Color
    {
        fraction < 0.5 ? self : rhs
    }

    /// A gradient of the colour.
    public var gradient: AnyGradient { AnyGradient(Gradient(colors: [self])) }

    /// The name, or the numbers.
    public var description: String {
        let text =
            switch storage {
            case .named(let name): name
            case .components(let red, let green, let blue):
                "#"
                    + [red, green, blue]
                    .map { String(format: "%02X", Int((min(1, max(0, $0)) * 255).rounded())) }
                    .joined()
            }
        return alpha == 1 ? text : "\(text) at \(Int((alpha * 100).rounded()))%"
    }

    /// The numbers of a colour, as it is drawn.
    public struct Resolved: Hashable, Sendable {
        /// Red, from 0 to 1.
        public var red: Float
        /// Green, from 0 to 1.
        public var green: Float
        /// Blue, from 0 to 1.
        public var blue: Float
        /// How much it covers, from 0 to 1.
        public var opacity: Float

        /// A colour of red, green and blue, each from 0 to 1.
        public init(
            colorSpace: Color.RGBColorSpace = .sRGB, red: Float, green: Float, blue: Float,
            opacity: Float = 1
        ) {
            (self.red, self.green, self.blue, self.opacity) = (red, green, blue, opacity)
        }
    }

    /// A colour of the numbers that are drawn.
    public init(_ resolved: Color.Resolved) {
        self.init(
            red: Double(resolved.red), green: Double(resolved.green), blue: Double(resolved.blue),
            opacity: Double(resolved.opacity))
    }

    /// The numbers with which it is drawn.
    public func resolve(in environment: EnvironmentValues) -> Color.Resolved {
        guard case .components(let red, let green, let blue) = storage else {
            let numbers = Self.system[description] ?? (0.5, 0.5, 0.5)
            return Resolved(red: numbers.0, green: numbers.1, blue: numbers.2, opacity: Float(alpha))
        }
        return Resolved(red: Float(red), green: Float(green), blue: Float(blue), opacity: Float(alpha))
    }

    private static let system: [String: (Float, Float, Float)] = [
        "red": (1, 0.23, 0.19), "orange": (1, 0.58, 0), "yellow": (1, 0.8, 0), "green": (0.2, 0.78, 0.35),
        "blue": (0, 0.48, 1), "purple": (0.69, 0.32, 0.87), "white": (1, 1, 1), "black": (0, 0, 0),
        "primary": (0, 0, 0), "accentColor": (0, 0.48, 1),
    ]
}

extension Color {
    /// Red, as the system has it.
    public static let red = Color(name: "red")
    /// Orange, as the system has it.
    public static let orange = Color(name: "orange")
    /// Yellow, as the system has it.
    public static let yellow = Color(name: "yellow")
    /// Green, as the system has it.
    public static let green = Color(name: "green")
    /// Mint, as the system has it.
    public static let mint = Color(name: "mint")
    /// Teal, as the system has it.
    public static let teal = Color(name: "teal")
    /// Cyan, as the system has it.
    public static let cyan = Color(name: "cyan")
    /// Blue, as the system has it.
    public static let blue = Color(name: "blue")
    /// Indigo, as the system has it.
    public static let indigo = Color(name: "indigo")
    /// Purple, as the system has it.
    public static let purple = Color(name: "purple")
    /// Pink, as the system has it.
    public static let pink = Color(name: "pink")
    /// Brown, as the system has it.
    public static let brown = Color(name: "brown")
    /// White.
    public static let white = Color(name: "white")
    /// Grey, as the system has it.
    public static let gray = Color(name: "gray")
    /// Black.
    public static let black = Color(name: "black")
    /// Nothing.
    public static let clear = Color(name: "clear")
    /// The colour of text.
    public static let primary = Color(name: "primary")
    /// The colour of text that matters less.
    public static let secondary = Color(name: "secondary")
    /// The colour of what can be pressed.
    public static var accentColor: Color { Color(name: "accentColor") }
}

extension Color: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension Color: Evaluated {
    package func nodes(_ place: Place) -> [Node] { [] }
}
