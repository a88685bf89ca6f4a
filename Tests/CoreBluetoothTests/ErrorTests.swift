// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Testing

@Suite("Errors as Apple bridges them") struct ErrorTests {
    private func caught(_ error: any Error) -> String {
        do {
            throw error
        } catch CBError.connectionTimeout {
            return "timeout"
        } catch let error as CBError where error.code == .peripheralDisconnected {
            return "gone"
        } catch CBATTError.insufficientAuthentication {
            return "pair"
        } catch let error as CBATTError where error.code == .insufficientEncryption {
            return "encrypt"
        } catch let error as CBATTError {
            return "ATT \(error.errorCode)"
        } catch {
            return "other"
        }
    }

    @Test("are caught by their codes")
    func patterns() {
        #expect(caught(CBError(.connectionTimeout)) == "timeout")
        #expect(caught(CBError(.peripheralDisconnected)) == "gone")
        #expect(caught(CBError(.notConnected)) == "other")
        #expect(caught(CBATTError(.insufficientAuthentication)) == "pair")
        #expect(caught(CBATTError(.insufficientEncryption)) == "encrypt")
        #expect(caught(CBATTError(octet: 0x80)) == "ATT 128")
        // Both have the number 6.
        #expect(caught(CBATTError(.requestNotSupported)) == "ATT 6")
        #expect(caught(CocoaError(.fileNoSuchFile)) == "other")
    }

    @Test("are caught by their codes as NSError, too, whose cast Linux does not know") func bridgedPattern() {
        #expect(caught(NSError(domain: CBErrorDomain, code: 6)) == "timeout")
        #expect(caught(NSError(domain: CBATTErrorDomain, code: 5)) == "pair")
        #expect(caught(NSError(domain: CBATTErrorDomain, code: 6)) == "other")
    }

    @Test("give domain, code and user info as NSError") func bridging() {
        let info = [NSLocalizedDescriptionKey: "Gone for lunch.", "floor": "2"]
        let error = CBError(.connectionFailed, userInfo: info) as any Error as NSError
        #expect(error.domain == "CBErrorDomain")
        #expect(error.code == 10)
        #expect(error.userInfo as? [String: String] == info)
        #expect(error.localizedDescription == "Gone for lunch.")
        #expect((CBATTError(.invalidOffset) as any Error as NSError).domain == "CBATTErrorDomain")
    }

    @Test("are what they were behind `any Error`") func casts() throws {
        let error: any Error = CBATTError(.readNotPermitted, userInfo: ["a": 1])
        let cast = try #require(error as? CBATTError)
        #expect(cast.code == .readNotPermitted)
        #expect(cast.errorCode == 2)
        #expect(cast.userInfo["a"] as? Int == 1)
        #expect(cast.errorUserInfo["a"] as? Int == 1)
        #expect(error as? CBError == nil)
    }

    @Test("of an application keep their number", arguments: [0x12, 0x80, 0x9F, 0xFC, 0xFF] as [UInt8])
    func application(_ octet: UInt8) throws {
        let error: any Error = CBATTError(octet: octet)
        #expect((error as NSError).code == Int(octet))
        let code = try #require(CBATTError.Code(rawValue: Int(octet)))
        #expect(code.rawValue == Int(octet))
        #expect((error as? CBATTError)?.code == code)
        #expect(error.localizedDescription.contains(String(octet, radix: 16)))
    }

    @Test("have the documented numbers") func numbers() throws {
        let codes: [CBError.Code] = [
            .unknown, .invalidParameters, .invalidHandle, .notConnected, .outOfSpace, .operationCancelled,
            .connectionTimeout, .peripheralDisconnected, .uuidNotAllowed, .alreadyAdvertising,
            .connectionFailed, .connectionLimitReached, .unknownDevice, .operationNotSupported,
            .peerRemovedPairingInformation, .encryptionTimedOut, .tooManyLEPairedDevices,
            .leGattExceededBackgroundNotificationLimit, .leGattNearBackgroundNotificationLimit,
        ]
        #expect(codes.map(\.rawValue) == Array(0...18))
        #expect((0...18).compactMap(CBError.Code.init(rawValue:)) == codes)
        let answers: [CBATTError.Code] = [
            .success, .invalidHandle, .readNotPermitted, .writeNotPermitted, .invalidPdu,
            .insufficientAuthentication, .requestNotSupported, .invalidOffset, .insufficientAuthorization,
            .prepareQueueFull, .attributeNotFound, .attributeNotLong, .insufficientEncryptionKeySize,
            .invalidAttributeValueLength, .unlikelyError, .insufficientEncryption, .unsupportedGroupType,
            .insufficientResources,
        ]
        #expect(answers.map(\.rawValue) == Array(0...0x11))
        #expect((0...0x11).compactMap(CBATTError.Code.init(rawValue:)) == answers)
        #expect(try #require(CBError.Code(rawValue: 99)).rawValue == 99)
    }

    @Test("are equal with the same code and user info") func equality() {
        #expect(CBError(.unknown) == CBError(.unknown))
        #expect(CBError(.unknown) != CBError(.notConnected))
        #expect(CBError(.unknown, userInfo: ["a": "b"]) == CBError(.unknown, userInfo: ["a": "b"]))
        #expect(CBError(.unknown, userInfo: ["a": "b"]) != CBError(.unknown))
        #expect(Set([CBATTError(.success), CBATTError(.success), CBATTError(.invalidPdu)]).count == 2)
    }

    @Test("of the air say something to people", arguments: 0...0x11 as ClosedRange<UInt8>)
    func texts(_ octet: UInt8) {
        let text = CBATTError(octet: octet).localizedDescription
        #expect(text.hasSuffix(".") && !text.contains("CBATTErrorDomain"))
    }

    @Test("that an app makes say domain and number, as Foundation has it") func plainTexts() {
        #expect(CBError(.connectionTimeout).localizedDescription.contains("CBErrorDomain error 6"))
    }
}
