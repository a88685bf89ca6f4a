// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// What one structure of advertising data says.
///
/// Spec: CSS v11, Part A, 1; what other specifications define names them.
public enum AdvertisingElement: Hashable, Sendable {
    /// How the device can be found.
    case flags(AdvertisingFlags)
    /// Services that the device has, all or some of this width.
    case services([BluetoothUUID], UUIDWidth, isComplete: Bool)
    /// Services that the device looks for.
    case solicitedServices([BluetoothUUID], UUIDWidth)
    /// Data of a service.
    case serviceData(ServiceData)
    /// The whole name.
    case completeName(WireText)
    /// The beginning of the name.
    case shortenedName(WireText)
    /// The name of a broadcast, UTF-8. Spec: Public Broadcast Profile v1.0, 5.1.
    case broadcastName(WireText)
    /// The transmit power in dBm.
    case txPower(Int8)
    /// The class of a device that speaks BR/EDR, too: 24 bits.
    case classOfDevice(UInt32)
    /// Sixteen octets for pairing out of band: hashes, randomizers, confirmations, a temporary key.
    case pairingValue(AdvertisingDataType, [UInt8])
    /// Maker, product and version. Spec: Device Identification Profile v1.3.
    case deviceID(DeviceID)
    /// What the device says about pairing outside of Bluetooth.
    case securityManagerFlags(SecurityManagerFlags)
    /// The connection intervals that the peripheral would like.
    case connectionIntervals(ConnectionIntervalRange)
    /// Addresses of those for whom this is meant, all of one kind.
    case targets([BluetoothAddress], BluetoothAddress.Kind)
    /// What the device looks like.
    case appearance(UInt16)
    /// How often the device advertises.
    case advertisingInterval(LongAdvertisingInterval)
    /// The device's address.
    case deviceAddress(BluetoothAddress)
    /// Which roles the device can take.
    case role(LERole)
    /// A URI.
    case uri(AdvertisedURI)
    /// Transports on which the device can be reached. Spec: Transport Discovery Service v1.1, 2.
    case transportDiscovery([TransportBlock])
    /// LE features, 8 in an octet from the least significant bit on; octets of zero at the end are left out.
    case supportedFeatures([UInt8])
    /// Channels to use from some moment on.
    case channelMapUpdate(ChannelMapUpdate)
    /// A part of a mesh provisioning. Spec: Mesh Protocol v1.1, 5.2.1.
    case meshProvisioning(MeshProvisioningPDU)
    /// A mesh network PDU, obfuscated. Spec: Mesh Protocol v1.1, 3.3.1.
    case meshMessage([UInt8])
    /// A mesh beacon. Spec: Mesh Protocol v1.1, 3.10.
    case meshBeacon(MeshBeacon)
    /// How to receive a broadcast isochronous group.
    case bigInfo(BIGInfo)
    /// The key to an encrypted broadcast: 16 octets.
    case broadcastCode([UInt8])
    /// Who belongs to a set, for those who know its key. Spec: Coordinated Set Identification Service v1.0.
    case resolvableSetIdentifier(ResolvableSetIdentifier)
    /// Structures that only those with the key can read.
    case encrypted(EncryptedAdvertisingData)
    /// When to answer periodic advertising.
    case periodicResponseTiming(PeriodicResponseTiming)
    /// Commands to or answers of electronic shelf labels. Spec: Electronic Shelf Label Profile v1.0, 5.3.
    case electronicShelfLabel([UInt8])
    /// A 3D display for glasses. Spec: 3D Synchronization Profile v1.0.
    case threeDInformation(ThreeDInformation)
    /// Data of a company.
    case manufacturerData(ManufacturerData)
    /// Any other type, with its octets.
    case other(AdvertisingDataType, [UInt8])
}

/// A structure of advertising data that could not be decoded.
public struct AdvertisingDataError: Error, Hashable, Sendable {
    /// Where the structure begins, with its length.
    public let offset: Int
    /// What it should hold; `nil` when its length runs past the end.
    public let type: AdvertisingDataType?
    /// What is wrong; the offset in it counts from the beginning of all the data.
    public let error: DecodeError

    /// Makes a fault.
    public init(offset: Int, type: AdvertisingDataType?, error: DecodeError) {
        self.offset = offset
        self.type = type
        self.error = error
    }
}

extension AdvertisingData {
    /// Everything that can be decoded, in the order in which it stands; several of one type are all there.
    public var elements: [AdvertisingElement] {
        var elements: [AdvertisingElement] = []
        for structure in self {
            do throws(AdvertisingDataError) { elements.append(try element(of: structure)) } catch {}
        }
        return elements
    }

    /// What could not be decoded, in the order in which it stands.
    public var faults: [AdvertisingDataError] {
        var faults: [AdvertisingDataError] = []
        for structure in self {
            do throws(AdvertisingDataError) { _ = try element(of: structure) } catch { faults.append(error) }
        }
        if let offset = fault {
            let needed = offset + 1 + Int(octets[offset]) - octets.count
            faults.append(
                AdvertisingDataError(
                    offset: offset, type: nil,
                    error: DecodeError(.truncated(needed: needed), at: octets.count)))
        }
        return faults
    }

    /// Decodes a structure.
    ///
    /// - Parameter structure: A structure of this sequence.
    /// - Returns: What it says.
    /// - Throws: ``AdvertisingDataError`` when its data does not fit its type.
    public func element(of structure: Structure) throws(AdvertisingDataError) -> AdvertisingElement {
        do throws(DecodeError) {
            return try withReader(structure.range) { reader throws(DecodeError) in
                let element = try AdvertisingElement(decoding: &reader, as: structure.type)
                try reader.finish()
                return element
            }
        } catch {
            throw AdvertisingDataError(
                offset: structure.offset, type: structure.type,
                error: DecodeError(error.reason, at: error.offset + structure.range.lowerBound))
        }
    }
}
