// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Testing

@testable import LanternCommands

@Suite struct CompletionTests {
    private static let breaks = " \t\n\"'@><=;|&(:"

    private func proposal(
        _ words: String..., values: [String] = []
    ) throws -> CommandLineCompletion.Proposal {
        let completion = CommandLineCompletion(tree: .all()) { _, _, _ in
            values.map { CommandLineCompletion.Candidate(word: $0) }
        }
        return completion.proposal(after: words.dropLast(), for: words.last ?? "")
    }

    private func words(_ words: String..., values: [String] = []) throws -> [String] {
        let completion = CommandLineCompletion(tree: .all()) { _, _, _ in
            values.map { CommandLineCompletion.Candidate(word: $0) }
        }
        guard case .words(let found) = completion.proposal(after: words.dropLast(), for: words.last ?? "")
        else { return ["(files)"] }
        return found.map(\.word)
    }

    @Test func anOptionIsOfferedOnceUnlessItMayBeRepeated() throws {
        let offered = try words("scan", "--json", "--service", "180d", "--")
        #expect(!offered.contains("--json"))
        #expect(offered.contains("--service"))
        #expect(offered.contains("--radio"))
    }

    @Test func whatIsHiddenIsNotOffered() throws {
        #expect(try words("wifi", "provision", "x", "--pass") == ["--password-stdin", "--password-file"])
    }

    @Test func aValueIsNotTakenForAnArgumentWithAPlace() throws {
        #expect(try words("bulb", "color", "--brightness", "50", "x", "rebe") == ["rebeccapurple"])
        #expect(try words("bulb", "color", "--brightness=50", "x", "rebe") == ["rebeccapurple"])
        #expect(try words("bulb", "color", "x", "--", "rebe") == ["rebeccapurple"])
    }

    @Test func nothingIsOfferedBehindWhatMakesNoSense() throws {
        #expect(try words("nigtlight", "") == [])
        #expect(try words("gatt", "diff", "a", "b", "c") == [])
        #expect(try words("scan", "--duration", "") == [])
    }

    @Test func behindTheLastArgumentOptionsAreOffered() throws {
        #expect(try words("gatt", "diff", "a", "b", "").contains("--json"))
    }

    @Test func caseMattersOnlyWhereSomethingFitsExactly() throws {
        #expect(try words("bulb", "show", "lamp", values: ["Lamp", "lamp 2"]) == ["lamp 2"])
        #expect(try words("bulb", "show", "LAMP", values: ["Lamp", "lamp 2"]) == ["Lamp", "lamp 2"])
    }

    @Test func anEqualsSignBeginsAValue() throws {
        #expect(try words("scan", "--radio=s", values: ["sim", "tcp:"]) == ["--radio=sim"])
        #expect(try proposal("scan", "--capture=s") == .files)
        #expect(try words("scan", "--json=s", values: ["sim"]) == [])
    }

    @Test func aLineOfBashIsTakenApart() {
        let line = ShellWords(#"lantern bulb show 'a b'"c d"e\ f --x F0:F1:F"#, breaks: Self.breaks)
        #expect(line.words == ["lantern", "bulb", "show", "a bc de f", "--x"])
        #expect(line.last == "F0:F1:F")
        #expect(line.aside == "F0:F1:")
        #expect(line.insertion(of: "F0:F1:F2") == "F2")
        #expect(ShellWords("lantern ", breaks: Self.breaks).words == ["lantern"])
        #expect(ShellWords("lantern ''", breaks: Self.breaks).last == "")
    }

    @Test(arguments: ["$(x)", "`x`", "a;b", "a&b", "a|b", "a>b", "a'b", "a\"b", "a\\b", "a!b", "a*b", "~"])
    func nothingInACandidateActsInBash(_ name: String) throws {
        let insertion = try #require(ShellWords("lantern x ", breaks: Self.breaks).insertion(of: name))
        #expect(ShellWords(insertion, breaks: Self.breaks).last == name)
        #expect(insertion.contains("\\"))
        // Within quotes that are open, what would act there is not offered.
        #expect(ShellWords("lantern x \"", breaks: Self.breaks).insertion(of: name) == nil)
    }

    @Test func filesAndDevicesAreCompletedWhereverTheyAreAskedFor() throws {
        var count = 0
        func check(_ command: [String: Any], _ path: String) {
            for argument in command["arguments"] as? [[String: Any]] ?? [] {
                let wanted = ["file": "file", "address": "custom", "radio": "custom", "color": "list"]
                guard let kind = wanted[argument["valueName"] as? String ?? ""],
                    argument["shouldDisplay"] as? Bool == true
                else { continue }
                count += 1
                let completion = argument["completionKind"] as? [String: Any] ?? [:]
                #expect(completion[kind] != nil, "\(path) \(argument["valueName"] ?? "")")
            }
            for sub in command["subcommands"] as? [[String: Any]] ?? [] {
                check(sub, "\(path) \(sub["commandName"] ?? "")")
            }
        }
        let dump = try JSONSerialization.jsonObject(with: Data(LanternCommand._dumpHelp().utf8))
        check((dump as? [String: Any])?["command"] as? [String: Any] ?? [:], "lantern")
        #expect(count > 50)
    }
}
