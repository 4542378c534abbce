import Basics
import CatalogSupport
import Domain
import HTTP
import JSON
import Support
import Testing

@testable import Control

@Suite("Control · workshops")
struct WorkshopRoutesTests {
  private let desk: Desk

  init() throws { desk = try Desk() }

  private func create(_ participants: String = "2", name: String = "tuesday") throws -> String {
    try desk.ask(
      "POST /control/workshops",
      #"{"name":"\#(name)","story":"first-sign-in","participants":\#(participants),"seeds":[]}"#)
  }

  @Test("more participants than there is room for are refused")
  func room() throws {
    #expect(try create("500").hasPrefix("201"))

    let answer = try create("500", name: "friday")

    #expect(answer.hasPrefix("507 ") && desk.world.sandboxes.count == 501, "\(answer)")
  }

  private func add(_ participants: String) throws -> String {
    try desk.ask("POST /control/workshops/tuesday/participants", #"{"participants":\#(participants)}"#)
  }

  @Test("participants who come later get the next sandboxes, with phrases and clocks of their own")
  func adding() throws {
    _ = try create()
    _ = try desk.ask("DELETE /control/sandboxes/tuesday-1")

    #expect(try add(#"["Ana"]"#).hasPrefix("201 "))
    #expect(try add("2").hasPrefix("201 "))

    let workshops = desk.world.sandboxes.workshops
    let all = try workshops.participants(of: try #require(try workshops["tuesday"]))
    #expect(all.map(\.name) == ["2", "Ana", "4", "5"])
    #expect(all.map(\.sandboxName) == ["tuesday-2", "tuesday-3", "tuesday-4", "tuesday-5"])
    #expect(Set(all.map(\.phrase)).count == 4)
    let model = try #require(desk.world.sandboxes["tuesday-2"]).configuration
    for (one, position) in zip(all.dropFirst(), 3...) {
      let sandbox = try #require(desk.world.sandboxes[one.sandboxName])
      #expect(sandbox.configuration.seeds == model.seeds && sandbox.configuration.clock == model.clock)
      #expect(sandbox.entropy.seed == position)
      #expect(try sandbox.workshopPlace?.participant.name == one.name)
    }
  }

  @Test("phrases are the same for the same server, and differ between participants, workshops and servers")
  func phrases() throws {
    func phrases(_ tokens: AccessTokens?, name: String = "tuesday") throws -> [String] {
      let world = try TestSandbox.withCatalog()
      return (1...500).map {
        JoinPhrase.make(for: "\(name) \($0) 0", tokens: tokens, entropy: world.sandbox.entropy)
      }
    }
    let one = AccessTokens(admin: "a", sandboxKey: Array(repeating: 1, count: 32))
    let two = AccessTokens(admin: "a", sandboxKey: Array(repeating: 2, count: 32))

    let made = try phrases(one)

    #expect(try phrases(one) == made)
    #expect(Set(made).count == 500)
    for others in [try phrases(two), try phrases(nil), try phrases(one, name: "friday")] {
      #expect(Set(made).intersection(others).count < 5)
    }
    #expect(made.allSatisfy { JoinPhrase.normalized($0) == $0 })
  }

  @Test(
    "a typed phrase is read without regard to case and separators",
    arguments: [
      "calm-blue-otter", "Calm Blue Otter", " calm  blue otter ", "CALM_BLUE_OTTER", "calm-blue-otter!",
    ])
  func typed(text: String) {
    #expect(JoinPhrase.normalized(text) == "calm-blue-otter")
    #expect(JoinPhrase.isPossible(JoinPhrase.normalized(text)))
    #expect(!JoinPhrase.isPossible("calm-blue-oter"))
  }

  @Test("the words of phrases are short, plain and different")
  func words() {
    let (adjectives, nouns) = (PhraseWords.adjectives, PhraseWords.nouns)
    #expect(Set(adjectives).count == adjectives.count && Set(nouns).count == nouns.count)
    #expect(adjectives.count * (adjectives.count - 1) * nouns.count == 173_819_828)
    #expect((adjectives + nouns).allSatisfy { $0.count <= 11 && $0.allSatisfy(\.isLowercase) })
  }

  @Test("a participant with too many failures gets no more; the others do, and the answer names who did not")
  func tooManyFailures() throws {
    _ = try create()
    let many = (400...499).map { #"{"status":\#($0)}"# }.joined(separator: ",")
    _ = try desk.ask("PUT /s/tuesday-2/control/faults", #"{"faults":[\#(many)]}"#)

    let answer = try desk.ask("POST /control/workshops/tuesday/break", #"{"faults":[{"status":500}]}"#)

    #expect(
      answer.hasPrefix("200 ")
        && answer.contains(#""failed":[{"participant":"2","why":"$.faults: has 100 already; at most 100"#),
      "\(answer)")
    #expect(try desk.world.sandboxes["tuesday-1"]?.faults.all.count == 1)
  }

  @Test(
    "cells of the results are quoted where needed, and no spreadsheet takes them for formulas",
    arguments: [
      ("Ana", "Ana"), ("O'Neil, Ana", "\"O'Neil, Ana\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
      ("a\nb", "\"a\nb\""), ("=1+1", "'=1+1"), ("+49", "'+49"), ("-1", "'-1"), ("@x,y", "\"'@x,y\""),
      ("", ""),
    ])
  func cells(text: String, cell: String) {
    #expect(ResultsTable.escaped(text) == cell)
  }
}
