// SPDX-License-Identifier: Apache-2.0

/// What sort of file something is.
public struct UTType: Hashable, Sendable {
    /// Its name.
    public let identifier: String
    /// How names of such files end, if they do so in one way.
    public let preferredFilenameExtension: String?
    /// What it is called in the network.
    public let preferredMIMEType: String?

    private init(named identifier: String, _ filenameExtension: String? = nil, _ mime: String? = nil) {
        self.identifier = identifier
        preferredFilenameExtension = filenameExtension
        preferredMIMEType = mime
    }

    /// A type by its name; one that is not among those here has none.
    public init?(_ identifier: String) {
        guard let known = Self.known.first(where: { $0.identifier == identifier }) else { return nil }
        self = known
    }

    /// A type by how names of files end.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        let ending = filenameExtension.lowercased()
        self =
            Self.known.first { $0.preferredFilenameExtension == ending }
            ?? UTType(named: "dyn." + ending, ending)
    }

    /// A type that the app brings along.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(named: identifier)
    }

    /// A type that another app brings along.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(named: identifier)
    }

    /// Anything that is stored.
    public static let item = UTType(named: "public.item")
    /// Octets.
    public static let data = UTType(named: "public.data")
    /// Text.
    public static let text = UTType(named: "public.text")
    /// Text without anything else.
    public static let plainText = UTType(named: "public.plain-text", "txt", "text/plain")
    /// Text in UTF-8.
    public static let utf8PlainText = UTType(named: "public.utf8-plain-text")
    /// Values in lines, with commas.
    public static let commaSeparatedText = UTType(
        named: "public.comma-separated-values-text", "csv", "text/csv")
    /// JSON.
    public static let json = UTType(named: "public.json", "json", "application/json")
    /// XML.
    public static let xml = UTType(named: "public.xml", "xml", "application/xml")
    /// An archive.
    public static let zip = UTType(named: "public.zip-archive", "zip", "application/zip")
    /// A compressed file.
    public static let gzip = UTType(named: "org.gnu.gnu-zip-archive", "gz", "application/gzip")
    /// An address.
    public static let url = UTType(named: "public.url")
    /// A picture.
    public static let png = UTType(named: "public.png", "png", "image/png")

    private static let known = [
        item, data, text, plainText, utf8PlainText, commaSeparatedText, json, xml, zip, gzip, url, png,
    ]

    /// The types of which each is a kind of the one above.
    private static let parents: [UTType: UTType] = [
        data: item, text: data, plainText: text, utf8PlainText: plainText, commaSeparatedText: text,
        json: text, xml: text, zip: data, gzip: data, url: data, png: data,
    ]

    /// Whether it is another type, or a kind of it.
    public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }

    /// Whether it is a kind of another type; what is not known is a kind of data.
    public func isSubtype(of type: UTType) -> Bool {
        guard self != .item else { return false }
        let parent = Self.parents[self] ?? .data
        return parent == type || parent.isSubtype(of: type)
    }

    /// Whether another type is a kind of it.
    public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }
}
