// SPDX-License-Identifier: Apache-2.0

/// What is evaluated by itself, and not by its body.
package protocol Evaluated {
    /// What it is on the screen.
    func nodes(_ place: Place) -> [Node]
}

/// Where in the tree something is evaluated, and with what environment.
package struct Place {
    package let pass: Pass
    /// The way from the root: what has the same path in two evaluations is the same view.
    package let path: String
    package var environment: EnvironmentValues
    /// The page of a navigation stack that this is on.
    var page: NavigationPage?

    init(pass: Pass, path: String, environment: EnvironmentValues, page: NavigationPage? = nil) {
        self.pass = pass
        self.path = path
        self.environment = environment
        self.page = page
    }

    /// A place below this one.
    package func inside(_ name: String) -> Place {
        Place(pass: pass, path: path + "/" + name, environment: environment, page: page)
    }

    /// The same place in another environment.
    package func with(_ change: (inout EnvironmentValues) -> Void) -> Place {
        var place = self
        change(&place.environment)
        return place
    }

    /// Evaluates a view here.
    package func nodes<V: View>(of view: V) -> [Node] {
        if let evaluated = view as? any Evaluated { return evaluated.nodes(self) }
        let inner = inside("\(V.self)")
        inner.install(view)
        // Everything is evaluated on the main actor, which the compiler cannot know of a value of any type.
        nonisolated(unsafe) let view = view
        nonisolated(unsafe) var body: V.Body?
        MainActor.assumeIsolated { body = view.body }
        return body.map { inner.inside("body").nodes(of: $0) } ?? []
    }

    /// Gives properties with a wrapper what they stand for here.
    package func install(_ value: Any) {
        for child in Mirror(reflecting: value).children {
            guard let name = child.label else { continue }
            if let installed = child.value as? any Installed {
                installed.install(inside(name))
            } else if child.value is any DynamicProperty {
                inside(name).install(child.value)
            }
        }
    }

    /// What is kept here from one evaluation to the next.
    package func kept<Kept: AnyObject>(_ name: String, _ make: () -> Kept) -> Kept {
        pass.kept(path + "." + name, make)
    }

    /// A value that is kept here, and evaluates the screen again when it is set.
    package func state<Value>(_ name: String, first: Value) -> Binding<Value> {
        let slot = kept(name) { StateSlot(first) }
        slot.change = pass.store.change
        return Binding(read: { slot.value }, write: { slot.set($0) })
    }

    /// The text of a view, as it is read.
    package func written(_ text: Text) -> String { text.written(in: self) }
}

/// A property that gets what it stands for when its view is evaluated.
protocol Installed {
    func install(_ place: Place)
}
