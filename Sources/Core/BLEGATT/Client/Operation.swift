// SPDX-License-Identifier: Apache-2.0

import BLEATT
public import BLEWire

extension GATT {
    /// What a client can be asked to do.
    public enum Operation: Hashable, Sendable {
        /// Agree on an MTU; the number is what this side can receive, in octets.
        ///
        /// A client may ask once on a bearer (Core v5.4, Vol 3, Part F, 3.4.2.1); again tells what was agreed.
        case exchangeMTU(Int)
        /// Find all services, includes, characteristics and descriptors.
        case discover
        /// Find what ``discover`` finds, unless the server says that what is known of it still holds; ask it to
        /// tell of changes, and tell it what this side can do.
        ///
        /// Spec: Core v5.4, Vol 3, Part G, 2.5.2.
        case findServices(known: KnownServices?)
        /// Find the primary services of one kind, without what is in them.
        ///
        /// Spec: Core v5.4, Vol 3, Part G, 4.4.2.
        case discoverServices(BluetoothUUID)
        /// Tell of what type an attribute is, when nothing else is known of the server.
        case attributeType(AttributeHandle)
        /// Read a value, the whole of it.
        ///
        /// When the server refuses to go on with it, does not answer any more, or the link ends, what came before is
        /// ``Answer/firstPart(_:_:)``.
        case read(AttributeHandle)
        /// Read all values of one kind, each as far as one response holds it (at most 253 octets).
        ///
        /// Spec: Core v5.4, Vol 3, Part G, 4.8.2.
        case readAll(BluetoothUUID)
        /// Read several values, at least two, put together as one; cut at MTU - 1 octets.
        ///
        /// From a server that does not know the request they are read one by one.
        ///
        /// Spec: Core v5.4, Vol 3, Part G, 4.8.4.
        case readMultiple([AttributeHandle])
        /// Read several values, at least two; at MTU - 1 octets one may be cut and those after it be missing.
        ///
        /// From a server that does not know the request (older than 5.2) they are read one by one, each whole: Read
        /// Multiple, which it may know, does not tell where one value ends and the next begins.
        ///
        /// Spec: Core v5.4, Vol 3, Part G, 4.8.5.
        case readMultipleVariable([AttributeHandle])
        /// Write a value of at most 512 octets and wait for the answer.
        ///
        /// A value longer than MTU - 3 octets is prepared in parts and written by a last request (Core v5.4,
        /// Vol 3, Part G, 4.9.4).
        case write(AttributeHandle, [UInt8])
        /// Write several values of at most 512 octets, all of them or none, each held against its echo before.
        ///
        /// Spec: Core v5.4, Vol 3, Part G, 4.9.5.
        case writeReliably([ValueWrite])
        /// Write a value with no answer; at most MTU - 3 octets, and 512.
        case writeWithoutResponse(AttributeHandle, [UInt8])
    }

    /// One value of several that are written together.
    public struct ValueWrite: Hashable, Sendable {
        /// The value's handle.
        public var handle: AttributeHandle
        /// The new value.
        public var value: [UInt8]

        /// Makes a write.
        public init(_ value: [UInt8], to handle: AttributeHandle) {
            self.handle = handle
            self.value = value
        }
    }

    /// A value with its handle.
    public struct AttributeValue: Hashable, Sendable {
        /// The value's handle.
        public var handle: AttributeHandle
        /// The value.
        public var value: [UInt8]

        /// Makes a value.
        public init(handle: AttributeHandle, value: [UInt8]) {
            self.handle = handle
            self.value = value
        }
    }

    /// Names one operation of one client.
    @frozen
    public struct OperationID: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: UInt32

        /// Wraps a number.
        @inlinable
        public init(rawValue: UInt32) { self.rawValue = rawValue }
    }

    /// What came of an operation.
    public enum Answer: Hashable, Sendable {
        /// Nothing but that it was done.
        case done
        /// What was read.
        case value([UInt8])
        /// The beginning of what was to be read, and why no more has come; there need not be more.
        case firstPart([UInt8], GATTRequestError)
        /// What was read of several attributes.
        case values([AttributeValue])
        /// Of what type an attribute is.
        case type(BluetoothUUID)
        /// What was found.
        case services([Service])
        /// What was found, or is known to hold still.
        case found(FoundServices)
        /// The MTU of the bearer, in octets.
        case mtu(Int)
    }
}

extension GATT.Answer {
    /// What was read, for a caller that takes no first part; `nil` when it is no answer to a read of one value.
    ///
    /// Where the server has refused to go on, a first part counts as the value: most often that has ended there. It does
    /// not where the rest may be granted later.
    public var readValue: Result<[UInt8], GATTRequestError>? {
        switch self {
        case .value(let value): return .success(value)
        case .firstPart(let value, let failure):
            return failure.mayEndValue ? .success(value) : .failure(failure)
        case .done, .values, .type, .services, .found, .mtu: return nil
        }
    }
}

extension GATTRequestError {
    /// Whether a value that was read until this came is most often whole.
    var mayEndValue: Bool { if case .refused(let code) = self { !code.mayBeGrantedLater } else { false } }
}

extension GATT.Operation {
    /// Whether it names a handle of a range.
    func names(anyOf range: ATT.HandleRange) -> Bool {
        switch self {
        case .exchangeMTU, .discover, .discoverServices, .findServices, .readAll: false
        case .attributeType(let handle), .read(let handle), .write(let handle, _),
            .writeWithoutResponse(let handle, _):
            range.contains(handle)
        case .readMultiple(let handles), .readMultipleVariable(let handles):
            handles.contains(where: range.contains)
        case .writeReliably(let writes): writes.contains { range.contains($0.handle) }
        }
    }
}
