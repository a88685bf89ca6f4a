// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import Foundation

/// What comes through a channel.
///
/// Reading never waits: with nothing there it gives 0, as at the end, which
/// ``Foundation/Stream/streamStatus`` tells apart.
final class ChannelInputStream: InputStream {
    private let hold: ChannelHold
    let events = StreamEvents()
    private var status: Stream.Status { events.status }

    init(_ hold: ChannelHold) {
        self.hold = hold
        super.init(data: Data())
        events.begin(self)
    }

    override var delegate: (any StreamDelegate)? {
        get { events.delegate }
        set { events.delegate = newValue }
    }

    override var streamStatus: Stream.Status { status == .open && isAtEnd ? .atEnd : status }
    override var streamError: (any Error)? { nil }
    private var isAtEnd: Bool { hold.octets.isOver && hold.octets.readable == 0 }

    override func open() { if events.open() { changed() } }

    override func close() {
        events.close()
        hold.octets.close()
    }

    /// Something came, or nothing more will.
    func changed() {
        guard status == .open else { return }
        events.tell(isAtEnd ? .endEncountered : .hasBytesAvailable)
    }

    override var hasBytesAvailable: Bool { status == .open && hold.octets.readable > 0 }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard status == .open else { return -1 }
        let octets = hold.octets.read(length)
        for (index, octet) in octets.enumerated() { unsafe buffer[index] = octet }
        if hold.octets.readable > 0 || hold.octets.isOver { changed() }
        return octets.count
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }
    override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        events.schedule(in: runLoop, mode)
    }
    override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        events.remove(from: runLoop, mode)
    }
}

/// What goes through a channel.
///
/// Writing never waits: with no space it takes nothing.
final class ChannelOutputStream: OutputStream {
    private let hold: ChannelHold?
    let events = StreamEvents()
    private var status: Stream.Status { events.status }

    init(_ hold: ChannelHold) {
        self.hold = hold
        super.init(toMemory: ())
        events.begin(self)
    }

    /// Makes one that leads nowhere: Foundation demands it.
    required init(toMemory: ()) {
        hold = nil
        super.init(toMemory: ())
    }

    override var delegate: (any StreamDelegate)? {
        get { events.delegate }
        set { events.delegate = newValue }
    }

    override var streamStatus: Stream.Status { status == .open && isAtEnd ? .atEnd : status }
    override var streamError: (any Error)? { nil }
    private var isAtEnd: Bool { hold?.octets.isOver ?? true }

    override func open() { if events.open() { changed() } }

    override func close() {
        events.close()
        hold?.octets.close()
    }

    /// There is room, or never will be again.
    func changed() {
        guard status == .open else { return }
        events.tell(isAtEnd ? .endEncountered : .hasSpaceAvailable)
    }

    override var hasSpaceAvailable: Bool { status == .open && (hold?.octets.writable ?? 0) > 0 }

    override func write(_ buffer: UnsafePointer<UInt8>, maxLength length: Int) -> Int {
        guard status == .open, let hold, !isAtEnd else { return -1 }
        let count = hold.octets.write(unsafe Array(UnsafeBufferPointer(start: buffer, count: length)))
        if hasSpaceAvailable { changed() }
        return count
    }

    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }
    override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        events.schedule(in: runLoop, mode)
    }
    override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        events.remove(from: runLoop, mode)
    }
}

extension ChannelOptions {
    /// What this side takes for the streams of apps.
    static let forStreams = ChannelOptions(mtu: 2048, mps: 1004, credits: 8)
}

extension CBL2CAPChannel {
    /// Has the delegates of both streams told by other means than run loops, as Core Foundation does it on a queue.
    ///
    /// - Parameter perform: Has something done soon, one after the other.
    package func tellDelegates(by perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        (inputStream as? ChannelInputStream)?.events.tell(by: perform)
        (outputStream as? ChannelOutputStream)?.events.tell(by: perform)
    }

    /// Makes the streams of a channel.
    convenience init(_ channel: Channel, _ peer: CBPeer, _ radio: Radio) {
        let octets = ChannelOctets(channel, radio)
        let hold = ChannelHold(octets)
        let (input, output) = (ChannelInputStream(hold), ChannelOutputStream(hold))
        self.init(peer: peer, psm: channel.description.psm, input: input, output: output)
        let (toInput, toOutput) = (Reference(input), Reference(output))
        octets.start(input: { toInput.object?.changed() }, output: { toOutput.object?.changed() })
    }
}
