// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// What a controller tells its host.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.
    public enum Event: Hashable, Sendable {
        /// A link has ended.
        case disconnectionComplete(DisconnectionComplete)
        /// A link is now encrypted or no longer so.
        case encryptionChange(EncryptionChange)
        /// An encrypted link has another key.
        case encryptionKeyRefreshComplete(EncryptionKeyRefreshComplete)
        /// Which controller the peer has.
        case readRemoteVersionInformationComplete(ReadRemoteVersionInformationComplete)
        /// A command is done.
        case commandComplete(CommandComplete)
        /// A command was taken up or refused.
        case commandStatus(CommandStatus)
        /// The controller has failed.
        case hardwareError(HardwareError)
        /// Data packets have left the controller.
        case numberOfCompletedPackets(NumberOfCompletedPackets)
        /// The host sent more than the controller can hold.
        case dataBufferOverflow(DataBufferOverflow)
        /// A link was made, or an attempt has ended.
        case connectionComplete(LEConnectionComplete)
        /// Advertisers were heard.
        case advertisingReport(LEAdvertisingReport)
        /// Advertisers were heard by a controller with extended advertising.
        case extendedAdvertisingReport(LEExtendedAdvertisingReport)
        /// The parameters of a link have changed.
        case connectionUpdateComplete(LEConnectionUpdateComplete)
        /// The LE features of the peer.
        case readRemoteFeaturesComplete(LEReadRemoteFeaturesComplete)
        /// The central encrypts the link, and the key is asked for.
        case longTermKeyRequest(LELongTermKeyRequest)
        /// The peer asks for other connection parameters.
        case remoteConnectionParameterRequest(LERemoteConnectionParameterRequest)
        /// The packet length of a link has changed.
        case dataLengthChange(LEDataLengthChange)
        /// A link was made, or an attempt has ended; with the private addresses.
        case enhancedConnectionComplete(LEEnhancedConnectionComplete)
        /// The modulation of a link has changed.
        case phyUpdateComplete(LEPHYUpdateComplete)
        /// The time that scanning was given is over.
        case scanTimeout(LEScanTimeout)
        /// An advertising set has ended.
        case advertisingSetTerminated(LEAdvertisingSetTerminated)
        /// Somebody has asked an advertising set for its scan response.
        case scanRequestReceived(LEScanRequestReceived)
        /// How the channels of a new link are chosen.
        case channelSelectionAlgorithm(LEChannelSelectionAlgorithm)
        /// An LE event that is not known here, and what follows its code.
        case unknownLE(LESubeventCode, [UInt8])
        /// An event that is not known here or is the maker's own, and its parameters.
        case unknown(EventCode, [UInt8])

        /// Reads the parameters of an event.
        ///
        /// - Parameters:
        ///   - code: Which event.
        ///   - parameters: All its parameters.
        /// - Throws: ``DecodeError`` when a known event is malformed or too long.
        public init(code: EventCode, parameters: [UInt8]) throws(DecodeError) {
            try self.init(code: code, parameters: parameters.octetSpan.bytes)
        }

        /// Reads the parameters of an event.
        ///
        /// - Parameters:
        ///   - code: Which event.
        ///   - parameters: All its parameters.
        /// - Throws: ``DecodeError`` when a known event is malformed or too long.
        public init(code: EventCode, parameters: RawSpan) throws(DecodeError) {
            var reader = ByteReader(parameters)
            switch code {
            case .disconnectionComplete: self = .disconnectionComplete(try .init(decoding: &reader))
            case .encryptionChange: self = .encryptionChange(try .init(decoding: &reader))
            case .encryptionKeyRefreshComplete:
                self = .encryptionKeyRefreshComplete(try .init(decoding: &reader))
            case .readRemoteVersionInformationComplete:
                self = .readRemoteVersionInformationComplete(try .init(decoding: &reader))
            case .commandComplete: self = .commandComplete(try .init(decoding: &reader))
            case .commandStatus: self = .commandStatus(try .init(decoding: &reader))
            case .hardwareError: self = .hardwareError(try .init(decoding: &reader))
            case .numberOfCompletedPackets: self = .numberOfCompletedPackets(try .init(decoding: &reader))
            case .dataBufferOverflow: self = .dataBufferOverflow(try .init(decoding: &reader))
            case .leMeta: self = try .le(&reader)
            default:
                self = .unknown(code, reader.readRemaining())
                return
            }
            try reader.finish()
        }

        private static func le(_ reader: inout ByteReader) throws(DecodeError) -> Event {
            let code = LESubeventCode(rawValue: try reader.readUInt8())
            switch code {
            case .connectionComplete: return .connectionComplete(try .init(decoding: &reader))
            case .advertisingReport: return .advertisingReport(try .init(decoding: &reader))
            case .extendedAdvertisingReport:
                return .extendedAdvertisingReport(try .init(decoding: &reader))
            case .connectionUpdateComplete: return .connectionUpdateComplete(try .init(decoding: &reader))
            case .readRemoteFeaturesComplete: return .readRemoteFeaturesComplete(try .init(decoding: &reader))
            case .longTermKeyRequest: return .longTermKeyRequest(try .init(decoding: &reader))
            case .remoteConnectionParameterRequest:
                return .remoteConnectionParameterRequest(try .init(decoding: &reader))
            case .dataLengthChange: return .dataLengthChange(try .init(decoding: &reader))
            case .enhancedConnectionComplete: return .enhancedConnectionComplete(try .init(decoding: &reader))
            case .phyUpdateComplete: return .phyUpdateComplete(try .init(decoding: &reader))
            case .scanTimeout: return .scanTimeout(try .init(decoding: &reader))
            case .advertisingSetTerminated: return .advertisingSetTerminated(try .init(decoding: &reader))
            case .scanRequestReceived: return .scanRequestReceived(try .init(decoding: &reader))
            case .channelSelectionAlgorithm: return .channelSelectionAlgorithm(try .init(decoding: &reader))
            default: return .unknownLE(code, reader.readRemaining())
            }
        }

        /// Which event it is.
        public var code: EventCode {
            switch self {
            case .disconnectionComplete: .disconnectionComplete
            case .encryptionChange: .encryptionChange
            case .encryptionKeyRefreshComplete: .encryptionKeyRefreshComplete
            case .readRemoteVersionInformationComplete: .readRemoteVersionInformationComplete
            case .commandComplete: .commandComplete
            case .commandStatus: .commandStatus
            case .hardwareError: .hardwareError
            case .numberOfCompletedPackets: .numberOfCompletedPackets
            case .dataBufferOverflow: .dataBufferOverflow
            case .unknown(let code, _): code
            default: .leMeta
            }
        }

        /// Which LE event it is, if it is one.
        public var subevent: LESubeventCode? {
            switch self {
            case .connectionComplete: .connectionComplete
            case .advertisingReport: .advertisingReport
            case .extendedAdvertisingReport: .extendedAdvertisingReport
            case .connectionUpdateComplete: .connectionUpdateComplete
            case .readRemoteFeaturesComplete: .readRemoteFeaturesComplete
            case .longTermKeyRequest: .longTermKeyRequest
            case .remoteConnectionParameterRequest: .remoteConnectionParameterRequest
            case .dataLengthChange: .dataLengthChange
            case .enhancedConnectionComplete: .enhancedConnectionComplete
            case .phyUpdateComplete: .phyUpdateComplete
            case .scanTimeout: .scanTimeout
            case .advertisingSetTerminated: .advertisingSetTerminated
            case .scanRequestReceived: .scanRequestReceived
            case .channelSelectionAlgorithm: .channelSelectionAlgorithm
            case .unknownLE(let code, _): code
            default: nil
            }
        }

        /// The parameters as they travel, with the code of an LE event in front.
        public var parameters: [UInt8] {
            var writer = ByteWriter()
            if let subevent { writer.write(subevent.rawValue) }
            switch self {
            case .disconnectionComplete(let event): event.encode(into: &writer)
            case .encryptionChange(let event): event.encode(into: &writer)
            case .encryptionKeyRefreshComplete(let event): event.encode(into: &writer)
            case .readRemoteVersionInformationComplete(let event): event.encode(into: &writer)
            case .commandComplete(let event): event.encode(into: &writer)
            case .commandStatus(let event): event.encode(into: &writer)
            case .hardwareError(let event): event.encode(into: &writer)
            case .numberOfCompletedPackets(let event): event.encode(into: &writer)
            case .dataBufferOverflow(let event): event.encode(into: &writer)
            case .connectionComplete(let event): event.encode(into: &writer)
            case .advertisingReport(let event): event.encode(into: &writer)
            case .extendedAdvertisingReport(let event): event.encode(into: &writer)
            case .connectionUpdateComplete(let event): event.encode(into: &writer)
            case .readRemoteFeaturesComplete(let event): event.encode(into: &writer)
            case .longTermKeyRequest(let event): event.encode(into: &writer)
            case .remoteConnectionParameterRequest(let event): event.encode(into: &writer)
            case .dataLengthChange(let event): event.encode(into: &writer)
            case .enhancedConnectionComplete(let event): event.encode(into: &writer)
            case .phyUpdateComplete(let event): event.encode(into: &writer)
            case .scanTimeout(let event): event.encode(into: &writer)
            case .advertisingSetTerminated(let event): event.encode(into: &writer)
            case .scanRequestReceived(let event): event.encode(into: &writer)
            case .channelSelectionAlgorithm(let event): event.encode(into: &writer)
            case .unknownLE(_, let octets), .unknown(_, let octets): writer.write(octets)
            }
            return writer.octets
        }
    }
}
