// SPDX-License-Identifier: Apache-2.0

import BLEATT
public import BLEGATT
import BLEHCI
public import BLEWire

/// Whether there is somebody who answers for our server.
enum Serving {
    case on
    /// Advertising and the links of centrals are coming to their end.
    case stopping
    case off
}

extension HostStack {
    /// Offers other services from now on.
    ///
    /// - Parameters:
    ///   - name: The device's name, for GAP.
    ///   - appearance: The device's appearance, for GAP.
    ///   - services: The services beside GAP and GATT.
    /// - Returns: Whether that was possible; not while a central is connected, which knows the old ones, nor before
    ///   ``stopServing(at:)`` is over.
    public mutating func offer(
        name: WireText, appearance: UInt16, services: [GATT.ServiceDefinition]
    ) -> Bool {
        guard canOffer else { return false }
        configuration.name = name
        configuration.appearance = appearance
        configuration.services = services
        database = GATT.Database(configuration.allServices)
        serving = .on
        return true
    }

    /// Offers exactly these attributes from now on, GAP and GATT among them or not at all.
    ///
    /// - Parameter database: The attributes.
    /// - Returns: Whether that was possible; not while a central is connected, which knows the old ones, nor before
    ///   ``stopServing(at:)`` is over.
    public mutating func offer(database: GATT.Database) -> Bool {
        guard canOffer else { return false }
        self.database = database
        serving = .on
        return true
    }

    /// Whether ``stopServing(at:)`` is not over.
    var stopsServing: Bool {
        if case .stopping = serving { return true }
        return false
    }

    private var canOffer: Bool { !stopsServing && !links.contains { $0.role == .peripheral } }

    /// Whether delegated values are asked for: from the start, and from an `offer` on, until ``stopServing(at:)``.
    public var isServing: Bool {
        if case .on = serving { return true }
        return false
    }

    /// Advertises no more and closes the links of all centrals; ends with `servingStopped`, or `failed`.
    ///
    /// A link that comes about meanwhile is closed, too. From now on delegated values are refused with Unlikely
    /// Error on the links that stay, until something is offered again.
    ///
    /// - Parameter now: The moment.
    public mutating func stopServing(at now: HostInstant) {
        guard !stopsServing else { return }
        serving = .stopping
        advertiser.stop(at: now)
        drainAdvertiser(at: now)
        for link in links {
            link.server.answer(.failure(.unlikelyError), database: &database, at: now)
            drain(link, at: now)
            if link.role == .peripheral { disconnect(link.id, at: now) }
        }
        pump(at: now)
        endServingIfOver()
    }

    /// Reports that serving has stopped once nobody is left.
    mutating func endServingIfOver() {
        guard stopsServing, advertiser.isQuiet,
            !links.contains(where: { $0.role == .peripheral })
        else { return }
        serving = .off
        report(.servingStopped)
    }
}
