// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
public import FlockFinder

extension FlockFinderDevice.Event {
    /// What is reported of it.
    public enum Report: Hashable, Sendable {
        /// A client has connected.
        case connected(LinkConnected)
        /// A client is gone.
        case disconnected(LinkDisconnected)
        /// A client wants values.
        case subscribed(ClientSubscribed)
        /// A client wants no more values.
        case unsubscribed(ClientUnsubscribed)
        /// A client has written a command.
        case command(FlockCommandReceived)
        /// An object was sent.
        case sent(FlockObjectSent)
        /// The script is at its end.
        case scriptFinished(FlockScriptFinished)
    }

    /// The event, as people and programs get it.
    public var report: Report {
        switch self {
        case .connected(let link, let peer): return .connected(LinkConnected(link: link, peer))
        case .disconnected(let link): return .disconnected(LinkDisconnected(link: link))
        case .detections(let link, let isOn):
            let attribute = ServedAttribute(nil, FlockFinderUUID.detection, title: "detections")
            return isOn
                ? .subscribed(ClientSubscribed(link, attribute, notify: true, indicate: false))
                : .unsubscribed(ClientUnsubscribed(link, attribute))
        case .stream(let link, let isOn):
            let attribute = ServedAttribute(nil, FlockFinderUUID.stream, title: "the stream")
            return isOn
                ? .subscribed(ClientSubscribed(link, attribute, notify: true, indicate: false))
                : .unsubscribed(ClientUnsubscribed(link, attribute))
        case .command(let link, let command): return .command(FlockCommandReceived(link, command))
        case .sent(let object, let clients): return .sent(FlockObjectSent(object, clients: clients))
        case .scriptFinished: return .scriptFinished(FlockScriptFinished())
        }
    }
}
