// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// The commands that a controller knows, one bit each in 64 octets.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 6.27.
    public struct SupportedCommands: Parameters, Hashable {
        /// The 64 octets.
        public private(set) var bits: [UInt8]

        /// Knows no command.
        public init() { bits = [UInt8](repeating: 0, count: 64) }

        /// Reads 64 octets.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            bits = try reader.readOctets(64)
        }

        /// Appends 64 octets.
        public func encode(into writer: inout ByteWriter) { writer.write(bits) }

        /// Tells whether a command is known.
        ///
        /// - Parameter opcode: The command.
        /// - Returns: Whether its bit is set; `false` for a command whose bit is not known here.
        public func contains(_ opcode: Opcode) -> Bool {
            guard let bit = Self.bit(of: opcode) else { return false }
            return bits[bit >> 3] & 1 << UInt8(bit & 7) != 0
        }

        /// Sets the bit of a command.
        ///
        /// - Parameter opcode: The command; one whose bit is not known here changes nothing.
        public mutating func insert(_ opcode: Opcode) {
            guard let bit = Self.bit(of: opcode) else { return }
            bits[bit >> 3] |= 1 << UInt8(bit & 7)
        }

        /// Eight times the octet plus the bit in it; less than 512.
        private static func bit(of opcode: Opcode) -> Int? {
            switch opcode {
            case .disconnect: 0 * 8 + 5
            case .readRemoteVersionInformation: 2 * 8 + 7
            case .setEventMask: 5 * 8 + 6
            case .reset: 5 * 8 + 7
            case .setControllerToHostFlowControl: 10 * 8 + 5
            case .hostBufferSize: 10 * 8 + 6
            case .hostNumberOfCompletedPackets: 10 * 8 + 7
            case .readLocalVersionInformation: 14 * 8 + 3
            case .readLocalSupportedFeatures: 14 * 8 + 5
            case .readBufferSize: 14 * 8 + 7
            case .readBDADDR: 15 * 8 + 1
            case .readRSSI: 15 * 8 + 5
            case .leSetEventMask: 25 * 8 + 0
            case .leReadBufferSize: 25 * 8 + 1
            case .leReadLocalSupportedFeatures: 25 * 8 + 2
            case .leSetRandomAddress: 25 * 8 + 4
            case .leSetAdvertisingParameters: 25 * 8 + 5
            case .leReadAdvertisingPhysicalChannelTxPower: 25 * 8 + 6
            case .leSetAdvertisingData: 25 * 8 + 7
            case .leSetScanResponseData: 26 * 8 + 0
            case .leSetAdvertisingEnable: 26 * 8 + 1
            case .leSetScanParameters: 26 * 8 + 2
            case .leSetScanEnable: 26 * 8 + 3
            case .leCreateConnection: 26 * 8 + 4
            case .leCreateConnectionCancel: 26 * 8 + 5
            case .leReadFilterAcceptListSize: 26 * 8 + 6
            case .leClearFilterAcceptList: 26 * 8 + 7
            case .leAddDeviceToFilterAcceptList: 27 * 8 + 0
            case .leRemoveDeviceFromFilterAcceptList: 27 * 8 + 1
            case .leConnectionUpdate: 27 * 8 + 2
            case .leReadRemoteFeatures: 27 * 8 + 5
            case .leRand: 27 * 8 + 7
            case .leRemoteConnectionParameterRequestReply: 33 * 8 + 4
            case .leRemoteConnectionParameterRequestNegativeReply: 33 * 8 + 5
            case .leSetDataLength: 33 * 8 + 6
            case .leReadSuggestedDefaultDataLength: 33 * 8 + 7
            case .leWriteSuggestedDefaultDataLength: 34 * 8 + 0
            case .leAddDeviceToResolvingList: 34 * 8 + 3
            case .leRemoveDeviceFromResolvingList: 34 * 8 + 4
            case .leClearResolvingList: 34 * 8 + 5
            case .leReadResolvingListSize: 34 * 8 + 6
            case .leReadPeerResolvableAddress: 34 * 8 + 7
            case .leReadLocalResolvableAddress: 35 * 8 + 0
            case .leSetAddressResolutionEnable: 35 * 8 + 1
            case .leSetResolvablePrivateAddressTimeout: 35 * 8 + 2
            case .leSetPrivacyMode: 39 * 8 + 2
            case .leReadMaximumDataLength: 35 * 8 + 3
            case .readTransmitPowerLevel: 10 * 8 + 2
            case .readLEHostSupport: 24 * 8 + 5
            case .writeLEHostSupport: 24 * 8 + 6
            case .leSetHostChannelClassification: 27 * 8 + 3
            case .leReadChannelMap: 27 * 8 + 4
            case .leEncrypt: 27 * 8 + 6
            case .leEnableEncryption: 28 * 8 + 0
            case .leLongTermKeyRequestReply: 28 * 8 + 1
            case .leLongTermKeyRequestNegativeReply: 28 * 8 + 2
            case .leReadSupportedStates: 28 * 8 + 3
            case .leReadPHY: 35 * 8 + 4
            case .leSetDefaultPHY: 35 * 8 + 5
            case .leSetPHY: 35 * 8 + 6
            case .leSetAdvertisingSetRandomAddress: 36 * 8 + 1
            case .leSetExtendedAdvertisingParameters: 36 * 8 + 2
            case .leSetExtendedAdvertisingData: 36 * 8 + 3
            case .leSetExtendedScanResponseData: 36 * 8 + 4
            case .leSetExtendedAdvertisingEnable: 36 * 8 + 5
            case .leReadMaximumAdvertisingDataLength: 36 * 8 + 6
            case .leReadNumberOfSupportedAdvertisingSets: 36 * 8 + 7
            case .leRemoveAdvertisingSet: 37 * 8 + 0
            case .leClearAdvertisingSets: 37 * 8 + 1
            case .leSetExtendedScanParameters: 37 * 8 + 5
            case .leSetExtendedScanEnable: 37 * 8 + 6
            case .leExtendedCreateConnection: 37 * 8 + 7
            case .leReadTransmitPower: 38 * 8 + 7
            default: nil
            }
        }
    }
}
