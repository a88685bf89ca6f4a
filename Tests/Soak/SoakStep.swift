// SPDX-License-Identifier: Apache-2.0

/// How somebody takes elements out of a stream.
enum Pace: String, CaseIterable, Sendable {
    /// As they come.
    case prompt
    /// With a pause after each.
    case slow
    /// A few, and then nothing more, though it holds the stream.
    case stopping
    /// Not at all, though it holds the stream.
    case stopped
}

/// Something that goes wrong at a radio.
enum Trouble: String, CaseIterable, Sendable {
    /// The transport is gone.
    case vanish
    /// The controller reports a hardware error.
    case hardwareError
    /// The controller says nothing any more.
    case silence
    /// The transport is gone and cannot be opened for a while.
    case absence
    /// The peers do not hear it for a while.
    case farAway
    /// The peers hear it again.
    case nearBy
}

/// A request of a link.
enum Request: String, CaseIterable, Sendable {
    case discover, findServices, read, readStored, readMany, readByType
    case write, writeLong, writeDelegated, command, writeReliably
    case rssi, phy, setPHY, parameters, version
}

/// One thing that happens in a soak.
///
/// Numbers of radios are theirs; numbers of links, channels, streams and operations count, modulo, among those that
/// there are when the step is taken, so that a step has a meaning whatever steps came before it.
enum SoakStep: Hashable, Sendable {
    /// Whatever can happen without time passing happens.
    case settle
    /// Milliseconds pass.
    case pass(Int)
    case start(Int)
    case close(Int)
    case trouble(Int, Trouble)
    /// So many of a hundred packets are lost.
    case loss(Int)
    case serve(Int, Pace, isRefusing: Bool)
    case stopServing(Int)
    case advertise(Int)
    case changeServices(Int)
    /// The server sets the value that everybody may subscribe to; octets.
    case update(Int, Int)
    case notify(Int, client: Int, Int)
    case indicate(Int, client: Int, Int)
    case askClient(Int, client: Int, Request)
    case dropClient(Int, client: Int)
    case connect(Int, to: Int, milliseconds: Int)
    case connectToFirst(Int, of: [Int])
    case disconnect(link: Int)
    case request(link: Int, Request, Int)
    case listen(link: Int, characteristic: Int, Pace)
    case listenToAll(link: Int, Pace)
    case waitForEnd(link: Int)
    case scan(Int, Pace)
    case listenForChannels(Int)
    case stopListening(Int)
    case openChannel(link: Int, psm: Int, Pace)
    case send(channel: Int, Int)
    case closeChannel(Int)
    /// Somebody who takes elements out, or holds a stream, does so no more.
    case drop(Int)
    /// The task of an operation is cancelled.
    case cancel(Int)
    /// The same, at the moment when so many packets have come from its radio's controller.
    case cancelLater(Int, packets: Int)
}

extension SoakStep {
    /// Radios on the air: the first connect to the others, and sometimes the other way round.
    static let radios = 9
    static let centrals = 4

    private enum Kind {
        case settle, pass, radio, trouble, loss, serve, advertise, services, value, client, connect,
            disconnect
        case request, listen, scan, channel, send, drop, cancel
    }

    private static let kinds: [(weight: Int, choice: Kind)] = [
        (200, .settle), (180, .pass), (4, .radio), (5, .trouble), (6, .loss), (30, .serve), (4, .advertise),
        (6, .services), (90, .value), (12, .client), (80, .connect), (10, .disconnect), (180, .request),
        (60, .listen), (8, .scan), (24, .channel), (40, .send), (20, .drop), (50, .cancel),
    ]

    /// The step that comes next.
    static func random(_ generator: inout SoakGenerator) -> SoakStep {
        let some = generator.number(0...999)
        let radio = generator.number(0...radios - 1)
        let central = generator.number(0...centrals - 1)
        let peripheral = generator.number(centrals...radios - 1)
        let size = [1, 8, 20, 60, 244, 500][generator.number(0...5)]
        let pace = generator.choose([
            (6, Pace.prompt), (2, Pace.slow), (1, Pace.stopping), (1, Pace.stopped),
        ])
        switch generator.choose(kinds) {
        case .settle: return .settle
        case .pass: return .pass([1, 3, 10, 30, 100, 300, 1000, 3000][generator.number(0...7)])
        case .radio: return generator.number(0...3) == 0 ? .close(radio) : .start(radio)
        case .trouble: return .trouble(radio, Trouble.allCases[some % Trouble.allCases.count])
        case .loss: return .loss([0, 0, 0, 1, 5, 30][generator.number(0...5)])
        case .serve:
            if generator.number(0...5) == 0 {
                return .stopServing(generator.number(0...2) == 0 ? radio : peripheral)
            }
            return .serve(
                generator.number(0...7) == 0 ? radio : peripheral, pace, isRefusing: some % 8 == 0)
        case .advertise: return .advertise(peripheral)
        case .services: return .changeServices(peripheral)
        case .value:
            let server = generator.number(0...7) == 0 ? radio : peripheral
            switch generator.number(0...5) {
            case 0...2: return .update(server, size)
            case 3...4: return .notify(server, client: some, size)
            default: return .indicate(server, client: some, size)
            }
        case .client:
            if generator.number(0...4) == 0 { return .dropClient(peripheral, client: some) }
            return .askClient(
                peripheral, client: some, Request.allCases.randomElement(using: &generator) ?? .read)
        case .connect:
            let milliseconds = [500, 3000, 10_000, 20_000][generator.number(0...3)]
            if generator.number(0...9) == 0 {
                return .connectToFirst(central, of: Array(Set([peripheral, centrals + some % 5])).sorted())
            }
            if generator.number(0...14) == 0 {
                return .connect(peripheral, to: radio, milliseconds: milliseconds)
            }
            return .connect(central, to: peripheral, milliseconds: milliseconds)
        case .disconnect: return .disconnect(link: some)
        case .request:
            return .request(link: some, Request.allCases.randomElement(using: &generator) ?? .read, size)
        case .listen:
            switch generator.number(0...5) {
            case 0: return .listenToAll(link: some, pace)
            case 1: return .waitForEnd(link: some)
            default: return .listen(link: some, characteristic: generator.number(1...3), pace)
            }
        case .scan: return .scan(radio, pace)
        case .channel:
            switch generator.number(0...7) {
            case 0...1: return .listenForChannels(peripheral)
            case 2: return .stopListening(peripheral)
            case 3: return .closeChannel(some)
            default: return .openChannel(link: some, psm: some % 8 == 0 ? 0x81 : 0x80, pace)
            }
        case .send: return .send(channel: some, size * 4)
        case .drop: return .drop(some)
        case .cancel:
            if generator.number(0...1) == 0 { return .cancel(some) }
            return .cancelLater(some, packets: generator.number(1...8))
        }
    }

    /// Steps that depend on the seed alone; each episode begins with links between all.
    static func plan(seed: UInt64, count: Int) -> [SoakStep] {
        var generator = SoakGenerator(state: seed)
        var steps: [SoakStep] = []
        while steps.count < count {
            let end = steps.count + SoakRun.episode
            if generator.number(0...3) > 0 { steps += beginning(&generator) }
            while steps.count < end {
                steps.append(random(&generator))
                // What was just asked for is given up at any packet on its way.
                guard generator.number(0...11) == 0 else { continue }
                steps.append(.cancelLater(0, packets: generator.number(1...25)))
            }
        }
        return Array(steps.prefix(count))
    }

    private static func beginning(_ generator: inout SoakGenerator) -> [SoakStep] {
        var steps: [SoakStep] = []
        for radio in centrals..<radios {
            let pace = generator.choose([
                (8, Pace.prompt), (1, Pace.slow), (1, Pace.stopping), (1, Pace.stopped),
            ])
            steps += [.serve(radio, pace, isRefusing: false), .listenForChannels(radio)]
        }
        steps.append(.pass(100))
        for peer in centrals..<radios {
            for radio in 0..<centrals { steps.append(.connect(radio, to: peer, milliseconds: 20_000)) }
        }
        steps.append(.pass(10_000))
        for _ in 0..<20 {
            let link = generator.number(0...999)
            steps.append(.listen(link: link, characteristic: generator.number(1...3), .prompt))
        }
        return steps + [.pass(1000)]
    }
}
