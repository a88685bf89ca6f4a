// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BLEGATT
import BLEWire
import Companion

extension GATTTree {
    /// The whole tree as scripts get it: one JSON object without a line end.
    var json: String { json(saving: nil) }

    /// The whole tree as `device run replay` serves it again: one JSON object without a line end.
    func saved(_ advertised: AdvertisedOctets) -> String { json(saving: advertised) }

    private func json(saving advertised: AdvertisedOctets?) -> String {
        var json = JSONWriter()
        json.object { json in
            if let advertised {
                json.field("name", gapName ?? advertised.name)
                json.field("advertisement", advertised.advertisement?.hexadecimal)
                json.field("scan_response", advertised.scanResponse?.hexadecimal)
            }
            json.device(peer)
            json.field("mtu", mtu)
            json.key("services")
            json.array { json in
                for service in services { write(service, isSaved: advertised != nil, to: &json) }
            }
        }
        return json.text
    }

    /// The name in the GAP service, if it was read.
    private var gapName: String? {
        services.characteristic(BluetoothUUID(0x2A00)).flatMap { self[$0.valueHandle].octets }
            .map { WireText($0).string }
    }

    private func write(_ service: GATT.Service, isSaved: Bool, to json: inout JSONWriter) {
        json.object { json in
            json.field("uuid", service.uuid.description)
            json.field("name", AssignedNumbers.name(ofService: service.uuid))
            json.field("handle", service.handle.rawValue)
            json.field("end_handle", service.endHandle.rawValue)
            json.field("primary", service.isPrimary)
            json.key("includes")
            json.array { json in
                for include in service.includes {
                    json.object { json in
                        json.field("uuid", include.uuid.description)
                        json.field("handle", include.startHandle.rawValue)
                        json.field("end_handle", include.endHandle.rawValue)
                        if isSaved { json.field("declaration_handle", include.handle.rawValue) }
                    }
                }
            }
            json.key("characteristics")
            json.array { json in
                for characteristic in service.characteristics {
                    write(characteristic, isSaved: isSaved, to: &json)
                }
            }
        }
    }

    private func write(_ characteristic: GATT.Characteristic, isSaved: Bool, to json: inout JSONWriter) {
        let reading = self[characteristic.valueHandle]
        json.object { json in
            json.field("uuid", characteristic.uuid.description)
            json.field("name", AssignedNumbers.name(ofCharacteristic: characteristic.uuid))
            json.field("handle", characteristic.handle.rawValue)
            json.field("value_handle", characteristic.valueHandle.rawValue)
            json.key("properties")
            json.array { json in
                for word in characteristic.properties.words { json.value(word) }
            }
            json.field("value", reading.octets?.hexadecimal)
            json.field("text", reading.octets.flatMap(ValueText.text))
            json.field("error", reading.error)
            if isSaved { json.field("error_code", reading.errorCode?.rawValue) }
            json.key("descriptors")
            json.array { json in
                for descriptor in characteristic.descriptors {
                    let reading = self[descriptor.handle]
                    json.object { json in
                        json.field("uuid", descriptor.uuid.description)
                        json.field("name", AssignedNumbers.name(ofDescriptor: descriptor.uuid))
                        json.field("handle", descriptor.handle.rawValue)
                        json.field("value", reading.octets?.hexadecimal)
                        json.field("error", reading.error)
                        if isSaved { json.field("error_code", reading.errorCode?.rawValue) }
                    }
                }
            }
        }
    }
}

extension GATTTree.Reading {
    /// The value, if it was read.
    var octets: [UInt8]? {
        guard case .value(let octets) = self else { return nil }
        return octets
    }

    /// Why there is no value, if it should be there.
    var error: String? {
        guard case .refused(let why, _) = self else { return nil }
        return why
    }

    /// The error that the device gave instead of a value.
    var errorCode: ATT.ErrorCode? {
        guard case .refused(_, let code) = self else { return nil }
        return code
    }
}
