// SPDX-License-Identifier: Apache-2.0

import SwiftUI
import Testing

private struct Triangle: Shape {
    func path(in rect: CGRect) -> Path {
        Path { path in
            path.move(to: CGPoint(x: rect.midX, y: rect.minY))
            path.addLine(to: CGPoint(x: rect.maxX, y: rect.maxY))
            path.addLine(to: CGPoint(x: rect.minX, y: rect.maxY))
            path.closeSubpath()
        }
    }
}

@MainActor @Observable private final class Sizes {
    var seen: [CGFloat] = []
}

@Suite(.timeLimit(.minutes(1))) @MainActor struct DrawingTests {
    private let box = CGRect(x: 0, y: 0, width: 100, height: 50)

    @Test("shapes have outlines, which know what is within") func shapes() {
        let triangle = Triangle().path(in: box)
        #expect(triangle.description == "50 0 m 100 50 l 0 50 l h")
        #expect(triangle.contains(CGPoint(x: 50, y: 25)) && !triangle.contains(CGPoint(x: 5, y: 5)))
        let circle = Circle().path(in: box).boundingRect
        #expect(
            abs(circle.minX - 25) < 0.01 && abs(circle.maxX - 75) < 0.01 && abs(circle.height - 50) < 0.01)
        #expect(!RoundedRectangle(cornerRadius: 20).path(in: box).contains(CGPoint(x: 1, y: 1)))
        #expect(Rectangle().inset(by: 10).path(in: box).boundingRect == box.insetBy(dx: 10, dy: 10))
        let half = Rectangle().trim(from: 0, to: 0.5).path(in: box)
        #expect(half.boundingRect == box && half.currentPoint == CGPoint(x: 100, y: 50))
        var rings = Path(box)
        rings.addRect(box.insetBy(dx: 10, dy: 10))
        #expect(rings.contains(CGPoint(x: 50, y: 25)) && !rings.contains(CGPoint(x: 50, y: 25), eoFill: true))
    }

    @Test("an arc goes the way that it is asked to") func arcs() {
        func arc(clockwise: Bool) -> CGRect {
            Path {
                $0.addArc(
                    center: .zero, radius: 10, startAngle: .degrees(0), endAngle: .degrees(90),
                    clockwise: clockwise)
            }.boundingRect
        }
        #expect(abs(arc(clockwise: false).width - 10) < 0.01 && arc(clockwise: true).width > 19.9)
    }

    @Test("a transform moves after it turns, and back") func transforms() {
        let turn = CGAffineTransform(translationX: 10, y: 0).rotated(by: .pi / 2)
        let point = CGPoint(x: 1, y: 0).applying(turn)
        #expect(abs(point.x - 10) < 1e-9 && abs(point.y - 1) < 1e-9)
        let back = point.applying(turn.inverted())
        #expect(abs(back.x - 1) < 1e-9 && abs(back.y) < 1e-9)
    }

    @Test("what is drawn on a canvas is recorded, where it was moved") func canvas() throws {
        let screen = Screen(size: CGSize(width: 200, height: 300)) {
            Canvas { context, size in
                context.fill(Path(CGRect(origin: .zero, size: size)), with: .color(.red))
                var moved = context
                moved.translateBy(x: 10, y: 20)
                moved.opacity = 0.5
                moved.stroke(Triangle().path(in: CGRect(x: 0, y: 0, width: 2, height: 2)), with: .foreground)
                context.draw(Text("Peak"), at: CGPoint(x: 5, y: 5))
                if let dot = context.resolveSymbol(id: "dot") { context.draw(dot, at: .zero) }
            } symbols: {
                Text("Dot").tag("dot")
            }
            .frame(height: 100)
        }
        let drawings = screen.drawings
        #expect(drawings.map(\.text) == [nil, nil, "Peak", "Dot"])
        #expect(drawings[0].path.boundingRect == CGRect(x: 0, y: 0, width: 200, height: 100))
        #expect(drawings[0].shading?.style as? Color == .red)
        #expect(drawings[1].path.description == "11 20 m 12 22 l 10 22 l h" && drawings[1].opacity == 0.5)
        #expect(screen.shows("Peak"))
    }

    @Test("a view is made from the room that there is, and told when it changes") func geometry() {
        let sizes = Sizes()
        let screen = Screen(size: CGSize(width: 320, height: 480)) {
            GeometryReader { Text(verbatim: "\(Int($0.size.width))") }
            GeometryReader { Text(verbatim: "\(Int($0.frame(in: .local).height))") }.frame(height: 44)
            Triangle().fill(.blue).onGeometryChange(for: CGFloat.self, of: \.size.width) {
                sizes.seen.append($0)
            }
        }
        #expect(screen.texts == ["320", "44"])
        screen.set(size: CGSize(width: 480, height: 320))
        #expect(screen.texts == ["480", "44"] && sizes.seen == [320, 480])
    }

    @Test("a timeline shows the last of its dates, and clocks run") func time() {
        let start = Date(timeIntervalSinceReferenceDate: 0)
        let screen = Screen {
            TimelineView(.periodic(from: start, by: 10)) { context in
                Text(verbatim: "\(Int(context.date.timeIntervalSince(start)))")
            }
            TimelineView(.explicit([start + 5, start + 15])) { context in
                Text(verbatim: "\(Int(context.date.timeIntervalSince(start)))")
            }
            Text(timerInterval: start...start + 60)
            Text(timerInterval: start...start + 60, pauseTime: start + 7, countsDown: false)
            ProgressView(timerInterval: start...start + 60, countsDown: false) { Text("Fill") }
        }
        screen.set(time: start)
        #expect(screen.texts == ["0", "0", "1:00", "0:07", "Fill"])
        #expect(screen.description.contains("progress “Fill” = “0:00”"))
        screen.set(time: start + 27)
        #expect(screen.texts == ["20", "15", "0:33", "0:07", "Fill"])
        #expect(screen.description.contains("progress “Fill” = “0:27”"))
        screen.set(time: start + 100)
        #expect(screen.texts == ["100", "15", "0:00", "0:07", "Fill"])
        #expect(screen.description.contains("progress “Fill” = “1:00”"))
    }

    @Test("a timeline goes on by itself") func running() async {
        let start = Date.now
        let screen = Screen {
            TimelineView(.periodic(from: start, by: 0.05)) { context in
                Text(context.date > start ? "later" : "now")
            }
        }
        #expect(await screen.wait { screen.shows("later") })
    }
}
