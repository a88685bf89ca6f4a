// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import BLESimulation
import BLEVirtualRadio

// What the steps do.
extension SoakWorld {
    func perform(_ step: SoakStep) {
        switch step {
        case .settle, .pass: break
        case .start(let radio): start(radio)
        case .close(let radio): close(radio)
        case .trouble(let radio, let trouble): befall(radio, trouble)
        case .loss(let percent): begin("loss", at: 0) { [air] _ in await air.setLoss(Double(percent) / 100) }
        case .serve(let radio, let pace, let isRefusing): serve(radio, pace, isRefusing: isRefusing)
        case .stopServing(let radio): stopServing(radio)
        case .advertise(let radio): advertise(radio)
        case .changeServices(let radio): changeServices(radio)
        case .update(let radio, let size): update(radio, size)
        case .notify(let radio, let client, let size): send(radio, client, 2, size)
        case .indicate(let radio, let client, let size): send(radio, client, 3, size)
        case .askClient(let radio, let client, let request): ask(radio, client, request)
        case .dropClient(let radio, let client): dropClient(radio, client)
        case .connect(let radio, let peer, let time): connect(radio, [peer], time)
        case .connectToFirst(let radio, let peers): connect(radio, peers, 10_000)
        case .disconnect(let number):
            guard let link = link(number) else { return }
            begin("disconnect", at: link.node) { _ in await link.connection.disconnect() }
        case .request(let number, let kind, let size):
            guard let link = link(number) else { return }
            begin("\(kind)", at: link.node) { _ in try await self.request(kind, size, on: link) }
        case .listen(let number, let characteristic, let pace): listen(number, characteristic, pace)
        case .listenToAll(let number, let pace):
            guard let link = link(number) else { return }
            let stream = link.connection.allValues()
            begin("allValues", at: link.node, lasts: true) { _ in
                try await self.consume(stream, pace) { value in await self.took(value.value, nil, link) }
            }
        case .waitForEnd(let number):
            guard let link = link(number) else { return }
            begin("waitUntilDisconnected", at: link.node, lasts: true) { _ in
                try await link.connection.waitUntilDisconnected()
            }
        case .scan(let radio, let pace): scan(radio, pace)
        case .listenForChannels(let radio): listenForChannels(radio)
        case .stopListening(let radio):
            guard let listener = nodes[radio].listener else { return }
            nodes[radio].listener = nil
            begin("stop listening", at: radio) { _ in await listener.stop() }
        case .openChannel(let number, let psm, let pace): openChannel(number, psm, pace)
        case .send(let number, let size): send(number, size)
        case .closeChannel(let number):
            guard !channels.isEmpty else { return }
            let known = channels[number % channels.count]
            begin("close channel", at: known.node) { _ in await known.channel.close() }
        case .drop(let number): drop(number)
        case .cancel(let number):
            if !operations.isEmpty { cancel(operations.count - 1 - number % operations.count) }
        case .cancelLater(let number, let packets):
            // One that has begun of late, the last first.
            let late = operations.suffix(8)
            guard !late.isEmpty else { return }
            let operation = late[late.endIndex - 1 - number % late.count]
            ambushes[operation.number] = packets
        }
    }

    private func link(_ number: Int) -> KnownLink? {
        links.removeAll { $0.connection.isDisconnected && number % 4 != 0 }
        return links.isEmpty ? nil : links[number % links.count]
    }

    private func drop(_ number: Int) {
        let lasting = operations.indices.filter { operations[$0].isLasting }
        guard held.count + lasting.count > 0 else { return }
        let index = number % (held.count + lasting.count)
        if index < held.count { held.remove(at: index) } else { cancel(lasting[index - held.count]) }
    }

    // MARK: Radios

    func close(_ radio: Int) {
        let host = nodes[radio].host
        nodes[radio].isClosed = true
        nodes[radio].troubles += 1
        nodes[radio].server = nil
        nodes[radio].listener = nil
        nodes[radio].extraService = nil
        begin("close radio", at: radio) { _ in await host.radio.close() }
    }

    private func befall(_ radio: Int, _ trouble: Trouble) {
        guard let transport = nodes[radio].transport else { return }
        switch trouble {
        case .nearBy, .farAway:
            begin("move", at: radio) { [air] _ in
                await air.withAir { air in
                    guard let id = air.census.controllers[Self.publicAddress(radio)] else { return }
                    air.move(id, to: .init(x: trouble == .nearBy ? 0 : 100_000))
                }
            }
            return
        case .vanish, .absence:
            nodes[radio].isAbsent = trouble == .absence
            transport.close()
        case .hardwareError: nodes[radio].receiver?(.octets([0x04, 0x10, 0x01, 0x42]))
        case .silence:
            nodes[radio].isMuted = true
            // Its controller still keeps the links: who asks it something waits in vain.
            hasSlowServer = true
        }
        nodes[radio].troubles += 1
    }

    private func scan(_ radio: Int, _ pace: Pace) {
        let host = nodes[radio].host
        let duplicates: ScanOptions.Duplicates = radio % 2 == 0 ? .all : .coalesced
        begin("scan", at: radio, lasts: true) { _ in
            let stream = try await host.radio.scan(ScanOptions(duplicates: duplicates))
            try await self.consume(stream, pace) { _ in await self.tookReport() }
        }
    }

    // MARK: Links

    private func connect(_ radio: Int, _ peers: [Int], _ milliseconds: Int) {
        let host = nodes[radio].host
        let options = ConnectOptions(timeout: .milliseconds(milliseconds))
        begin("connect", at: radio) { _ in
            let peers = peers.filter { $0 != radio }.map { Self.peer($0) }
            let connection = try await host.radio.connect(toFirstOf: peers, options)
            await self.opened(connection, by: radio)
        }
    }

    /// Somebody has a link; the application that it stands for knows what is there a moment later.
    func opened(_ connection: Connection, by radio: Int) {
        counts.opened += 1
        watch(connection, "link of \(radio)")
        let link = KnownLink(node: radio, peer: Self.radio(connection.peer.address), connection: connection)
        links.append(link)
        begin("discover", at: radio) { _ in try await self.request(.discover, 0, on: link) }
    }

    private func listen(_ number: Int, _ characteristic: Int, _ pace: Pace) {
        guard let link = link(number), let found = link.characteristics[characteristic] else { return }
        begin("notifications", at: link.node, lasts: true) { _ in
            let stream = try await link.connection.notifications(of: found)
            let last = SoakLast()
            try await self.consume(stream, pace) { value in await self.took(value, characteristic, link, last)
            }
        }
    }

    // MARK: Channels

    private func listenForChannels(_ radio: Int) {
        let host = nodes[radio].host
        begin("listen for channels", at: radio, lasts: true) { _ in
            let listener = try await host.radio.listen(psm: 0x80)
            await self.listens(listener, radio)
            for try await channel in listener.channels() { await self.opened(channel, at: radio, .prompt) }
        }
    }

    private func listens(_ listener: ChannelListener, _ radio: Int) { nodes[radio].listener = listener }

    private func openChannel(_ number: Int, _ psm: Int, _ pace: Pace) {
        guard let link = link(number) else { return }
        let options = ChannelOptions(mtu: 2048, mps: number % 2 == 0 ? 100 : 1024, credits: 4)
        begin("open channel", at: link.node) { _ in
            let channel = try await link.connection.openChannel(psm: UInt16(psm), options)
            await self.opened(channel, at: link.node, pace)
        }
    }

    private func opened(_ channel: Channel, at radio: Int, _ pace: Pace) {
        watch(channel, "channel of \(radio)")
        channels.removeAll { $0.channel.isClosed }
        channels.append(KnownChannel(node: radio, channel: channel))
        let stream = channel.received()
        begin("received", at: radio, lasts: true) { _ in
            let last = SoakLast()
            try await self.consume(stream, pace) { sdu in await self.tookSDU(sdu, last) }
        }
    }

    private func send(_ number: Int, _ size: Int) {
        guard !channels.isEmpty else { return }
        let known = channels[number % channels.count]
        begin("send", at: known.node) { _ in
            for _ in 0..<Self.burst(size / 4) {
                let sdu = await self.nextValue(known.node, 0xFF, min(size, known.channel.description.mtu))
                try await known.channel.send(sdu)
            }
        }
    }
}
