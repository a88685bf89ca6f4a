// SPDX-License-Identifier: Apache-2.0

// Events of any kind are values that Embedded Swift has not.
#if !hasFeature(Embedded)
import Companion
public import CompanionText
public import FlockFinder

extension FlockReport.Content {
    /// The event as people and programs get it.
    public var event: any EventText {
        switch self {
        case .state(let event): event
        case .detection(let event): event
        case .parseError(let event): event
        case .stream(let event): event
        case .command(let event): event
        case .notice(let event): event
        }
    }
}

extension FlockFinderDevice.Event.Report {
    /// The event as people and programs get it.
    public var event: any EventText {
        switch self {
        case .connected(let event): event
        case .disconnected(let event): event
        case .subscribed(let event): event
        case .unsubscribed(let event): event
        case .command(let event): event
        case .sent(let event): event
        case .scriptFinished(let event): event
        }
    }
}
#endif
