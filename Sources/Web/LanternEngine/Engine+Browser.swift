// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLESimulation
public import BLEWire
public import Companion
import CompanionCore
import HubModel

extension Engine {
    /// Detections that a page holds.
    static let keptDetections = 50_000
    /// What to do about a device that the browser does not let this page use.
    static let chooseAgain = "The browser does not let this page use it any more. Choose it again."

    /// Makes an engine that uses the Bluetooth of a browser, which its page brings.
    ///
    /// - Parameters:
    ///   - seed: What waiting times, keys and other chance come from.
    ///   - now: The moment.
    ///   - wall: The same by the clock on the wall.
    public convenience init(inBrowserWithSeed seed: UInt64, at now: HostInstant, wall: Timestamp) {
        let browser = BrowserRadio()
        self.init(on: browser, SplitMix64(seed: seed), at: now, wall: wall)
        self.browser = browser
        detections = InMemoryDetectionStore(limit: Self.keptDetections, dropsOldest: false)
        drives = InMemoryDriveStore()
        placeChoice = PlaceChoice()
        whereabouts = Whereabouts(placeChoice.source)
        // They end together, with the page.
        browser.permitted = { [self] peer in use(peer, isChosen: false) }
        browser.allPermitted = { [self] in
            for device in devices.devices where !browser.mayUse(device.peer) {
                devices.update(device.id) { $0.reason = Self.chooseAgain }
            }
        }
        browser.chosen = { [self] peer in use(peer, isChosen: true) }
        browser.withdrawn = { [self] peer in forgetPermission(for: peer) }
        var choices = JSONWriter()
        BrowserChoices.write(into: &choices)
        tell(choices.octets)
    }

    /// Takes what the page tells of its browser's Bluetooth; what makes no sense is passed over.
    ///
    /// - Parameter octets: One JSON object, as `BrowserMessage` reads it.
    public func receiveFromBrowser(_ octets: [UInt8]) {
        guard let browser, let message = try? BrowserMessage(octets) else { return }
        browser.receive(message, at: now)
    }

    /// Takes a report of a radio that hears all devices and their addresses, which no browser lets a page do.
    ///
    /// - Parameter report: The report.
    package func hear(_ report: AdvertisementReport) { browser?.hear(report, at: now) }

    /// How the radio of a browser is, in words.
    func describe(_ browser: BrowserRadio, _ state: inout HubRadioState) {
        state.name = "this browser's Bluetooth"
        switch browser.state {
        case .ready:
            state.title = "Chosen devices only"
            state.text = "Browsers show a page the devices that you choose. Scanning all devices needs a hub."
        case .off:
            state.condition = .missing
            state.title = "Bluetooth is off"
            state.text = "Switch Bluetooth on in the settings of this computer or phone."
        case .unauthorized:
            state.condition = .forbidden
            state.title = "This browser may not use Bluetooth"
            state.text = "Allow it in the settings of this browser and of its system, then try again."
        case nil:
            state.condition = .missing
            state.title = "Starting"
        }
        guard browser.isUnsupported else { return }
        state.title = "This browser has no Bluetooth for pages"
        state.text =
            "Safari and Firefox have no Web Bluetooth. Use a hub, or Chrome or Edge on Android, ChromeOS, macOS, Windows or Linux."
    }

    /// Handles that a device may be used.
    private func use(_ peer: Peer, isChosen: Bool) {
        begin(connections.permit(peer, isByPerson: isChosen))
        keepDevices()
    }

    /// Handles that a person has taken the permission for a device back.
    private func forgetPermission(for peer: Peer) {
        guard let device = connections.withdraw(peer) else { return }
        end(device)
        devices.update(device) { $0.reason = Self.chooseAgain }
        keepDevices()
    }
}
