// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A device on the other side.
open class CBPeer: NSObject, NSCopying {
    /// By what this phone knows it; another phone knows it by another.
    open private(set) var identifier: UUID

    /// Makes one.
    package init(identifier: UUID) { self.identifier = identifier }

    /// Returns the same object, since there is one for each device.
    ///
    /// - Parameter zone: Means nothing.
    /// - Returns: The object.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A device that has connected to this one.
open class CBCentral: CBPeer {
    /// Octets of a value that one notification carries at most.
    open package(set) var maximumUpdateValueLength = 20
}

/// A read or a write that somebody asks for.
open class CBATTRequest: NSObject {
    /// Who asks.
    open private(set) var central: CBCentral
    /// The characteristic.
    open private(set) var characteristic: CBCharacteristic
    /// Octets of the value that are skipped.
    open private(set) var offset: Int
    /// What is to be written; of a read, what the app has to set before it answers.
    open var value: Data?
    /// Where the answer goes; `nil` when another request of the same array is to be answered.
    var answerPlace: AnswerPlace?

    /// Makes one.
    package init(central: CBCentral, characteristic: CBCharacteristic, offset: Int, value: Data?) {
        self.central = central
        self.characteristic = characteristic
        self.offset = offset
        self.value = value
    }
}

/// The number under which channels are opened.
public typealias CBL2CAPPSM = UInt16

/// A channel for streams of octets.
// The optionals that unwrap themselves are Apple's, who had to import what Objective-C may leave empty.
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
open class CBL2CAPChannel: NSObject {
    /// The device on the other side.
    open private(set) var peer: CBPeer!
    /// What comes; the app opens it.
    open private(set) var inputStream: InputStream!
    /// What goes; the app opens it.
    open private(set) var outputStream: OutputStream!
    /// The number under which it was opened.
    open private(set) var psm: CBL2CAPPSM

    /// Makes one of its streams.
    package init(peer: CBPeer, psm: CBL2CAPPSM, input: InputStream, output: OutputStream) {
        self.peer = peer
        self.psm = psm
        inputStream = input
        outputStream = output
    }
}
