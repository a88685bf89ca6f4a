// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Synchronization
import Testing

/// A lamp whose brightness can be observed.
private class Lamp: NSObject, _KeyValueCodingAndObserving {
    let _observers = _KeyValueObservers()
    private var stored = 0
    private var called: String?

    var brightness: Int {
        get {
            _observers.access(\Lamp.brightness)
            return stored
        }
        set { _observers.change(\Lamp.brightness) { stored = newValue } }
    }

    var name: String? {
        get {
            _observers.access(\Lamp.name)
            return called
        }
        set { _observers.change(\Lamp.name) { called = newValue } }
    }

    var isOn: Bool { brightness > 0 }
}

private final class ColouredLamp: Lamp {}

/// What handlers were told, from whatever thread.
private final class Told<Element: Sendable>: Sendable {
    private let all = Mutex<[Element]>([])
    var list: [Element] { all.withLock { $0 } }
    func add(_ element: Element) { all.withLock { $0.append(element) } }
}

@Suite("Key-value observing") struct KeyValueObservingTests {
    @Test("tells new and old values, when they are asked for") func values() {
        let lamp = Lamp()
        let told = Told<[Int?]>()
        let observation = lamp.observe(\.brightness, options: [.new, .old]) { lamp, change in
            #expect(change.kind == .setting)
            #expect(!change.isPrior)
            #expect(change.indexes == nil)
            told.add([lamp.brightness, change.oldValue, change.newValue])
        }
        let bare = lamp.observe(\.brightness) { _, change in told.add([change.oldValue, change.newValue]) }
        lamp.brightness = 5
        lamp.brightness = 7
        #expect(told.list == [[5, 0, 5], [nil, nil], [7, 5, 7], [nil, nil]])
        observation.invalidate()
        bare.invalidate()
        lamp.brightness = 8
        #expect(told.list.count == 4)
    }

    @Test("tells at once and before, when that is asked for") func moments() {
        let lamp = Lamp()
        let told = Told<String>()
        let observation = lamp.observe(\.brightness, options: [.initial, .prior, .new, .old]) {
            lamp, change in
            let (old, new) = (change.oldValue.map { "\($0)" } ?? "-", change.newValue.map { "\($0)" } ?? "-")
            told.add("\(change.isPrior ? "before" : "after") \(old) \(new) \(lamp.brightness)")
        }
        lamp.brightness = 3
        #expect(told.list == ["after - 0 0", "before 0 - 0", "after 0 3 3"])
        observation.invalidate()
    }

    @Test("tells an optional that becomes nil") func optional() {
        let lamp = Lamp()
        lamp.name = "Hall"
        let told = Told<String?>()
        let observation = lamp.observe(\.name, options: [.new, .old]) { _, change in
            // Asked for and nil is not the same as not asked for.
            #expect(change.newValue != nil && change.oldValue != nil)
            told.add(change.oldValue ?? "not asked")
            told.add(change.newValue ?? "not asked")
        }
        lamp.name = nil
        lamp.name = "Door"
        #expect(told.list == ["Hall", nil, nil, "Door"])
        observation.invalidate()
    }

    @Test("sees what a subclass, a path and a computed property read") func other() {
        let lamp = ColouredLamp()
        let told = Told<String>()
        let observations = [
            lamp.observe(\.brightness) { _, _ in told.add("brightness") },
            lamp.observe(\.isOn, options: .new) { _, change in told.add("on \(change.newValue == true)") },
            lamp.observe(\.brightness.description) { lamp, _ in told.add(lamp.brightness.description) },
            lamp.observe(\.name) { _, _ in told.add("name") },
        ]
        lamp.brightness = 4
        #expect(told.list == ["brightness", "on true", "4"])
        for observation in observations { observation.invalidate() }
    }

    @Test("ends with what observes, and with what is observed") func ends() {
        let told = Told<Int>()
        var lamp: Lamp? = Lamp()
        weak let gone = lamp
        _ = lamp?.observe(\.brightness) { lamp, _ in told.add(lamp.brightness) }
        lamp?.brightness = 1
        #expect(told.list.isEmpty)
        let observation = lamp?.observe(\.brightness) { lamp, _ in told.add(lamp.brightness) }
        lamp?.brightness = 2
        #expect(told.list == [2])
        lamp = nil
        #expect(gone == nil)
        observation?.invalidate()
    }

    @Test("lets a handler end itself, change and observe") func inHandlers() {
        let lamp = Lamp()
        let told = Told<Int>()
        // All on one thread.
        nonisolated(unsafe) var kept: [NSKeyValueObservation] = []
        let observation = lamp.observe(\.brightness, options: .new) { lamp, change in
            told.add(change.newValue ?? -1)
            for one in kept { one.invalidate() }
            lamp.brightness += 1
            let more = lamp.observe(\.brightness) { lamp, _ in told.add(100 + lamp.brightness) }
            kept = [more]
        }
        kept = [observation]
        lamp.brightness = 5
        lamp.brightness = 9
        #expect(told.list == [5, 109])
    }

    @Test("runs the handler on the thread that changes, before the change returns") func threads() {
        let lamp = Lamp()
        let told = Told<Bool>()
        let queue = DispatchQueue(label: "changes")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let observation = lamp.observe(\.brightness) { _, _ in
            told.add(DispatchQueue.getSpecific(key: key) == true)
        }
        nonisolated(unsafe) let same = lamp
        queue.sync { same.brightness = 1 }
        #expect(told.list == [true])
        observation.invalidate()
    }

    @Test("holds when many threads observe and change") func many() {
        let lamp = Lamp()
        let told = Told<Int>()
        nonisolated(unsafe) let same = lamp
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            for _ in 0..<200 {
                let one = same.observe(\.isOn) { _, _ in told.add(number) }
                same._observers.change(\Lamp.brightness) {}
                one.invalidate()
            }
        }
        // Each thread hears its own changes at least.
        #expect(told.list.count >= 8 * 200)
        let before = told.list.count
        lamp.brightness = 1
        #expect(told.list.count == before)
    }
}
