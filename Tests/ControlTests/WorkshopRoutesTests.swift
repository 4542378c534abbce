import CatalogSupport
import Control
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

  @Test(
    "a mistake names the field and what was expected, and creates nothing",
    arguments: [
      (#"{"name":"a b"}"#, "$.name: expected 1 to 40 letters, digits, - or _"),
      (
        #"{"name":"a","story":"first-signin","participants":1}"#,
        #"unknown story \"first-signin\"; did you mean"#
      ),
      (
        #"{"name":"a","story":"first-sign-in","flavour":"twillio","participants":1}"#,
        #"unknown flavour \"twillio\"; did you mean"#
      ),
      (#"{"name":"a","story":"first-sign-in"}"#, "$.participants: missing; expected a number from 1 to 500"),
      (
        #"{"name":"a","story":"first-sign-in","participants":501}"#,
        "expected a number from 1 to 500, or a list"
      ),
      (
        #"{"name":"a","story":"first-sign-in","participants":[]}"#,
        "expected a number from 1 to 500, or a list"
      ),
      (
        #"{"name":"a","story":"first-sign-in","participants":["A","\n"]}"#,
        "$.participants[1]: expected 1 to 60"
      ),
      (
        #"{"name":"a","story":"first-sign-in","participants":["A","A"]}"#,
        "$.participants[1]: expected a different name"
      ),
      (#"{"name":"a","story":"first-sign-in","participants":1,"sedes":[]}"#, "$.sedes: unknown field"),
      (#"{"name":"a","story":"first-sign-in","participants":1,"seeds":["x"]}"#, "$.seeds: expected one of"),
    ])
  func mistakes(body: String, sentence: String) throws {
    let answer = try desk.ask("POST /control/workshops", body)

    #expect(answer.hasPrefix("400 ") && answer.contains(sentence), "\(answer)")
    #expect(desk.world.sandboxes.count == 1)
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

  @Test("participants cannot be added twice, beyond the limit, or where a sandbox has the name")
  func addingRefused() throws {
    _ = try create(#"["Ana","4"]"#)

    #expect(try add(#"["Cem","Ana"]"#).contains("$.participants[1]: expected a name that no participant has"))
    #expect(try add("2").contains("expected a list of names, because there is a participant 4"))
    #expect(try add("499").contains("$.participants: expected at most 498 more"))
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"tuesday-3"}"#)
    #expect(try add(#"["Cem"]"#).hasPrefix("409 "))
    #expect(desk.world.sandboxes.count == 4)
  }

  @Test("a sandbox that exists is named, and no other is created")
  func taken() throws {
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"tuesday-2"}"#)

    #expect(
      try create()
        == #"409 {"error":"$.name: sandbox tuesday-2 exists already; use another name","field":"$.name"}"#)
    #expect(desk.world.sandboxes.count == 2)
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

  @Test("breaking adds rules for some, fixing removes them, and the clock moves for some")
  func actions() throws {
    _ = try create(#"["Ana","Ben"]"#)
    func faults(_ sandbox: String) throws -> Int {
      try #require(desk.world.sandboxes[sandbox]).faults.all.count
    }

    _ = try desk.ask(
      "POST /control/workshops/tuesday/break", #"{"participants":["Ben"],"faults":[{"status":503}]}"#)
    #expect(try (faults("tuesday-1"), faults("tuesday-2")) == (0, 1))
    _ = try desk.ask("POST /control/workshops/tuesday/fix", "{}")
    #expect(try faults("tuesday-2") == 0)
    let unknown = try desk.ask(
      "POST /control/workshops/tuesday/break", #"{"faults":[{"provider":"acmee","status":503}]}"#)
    #expect(unknown.contains(#"unknown provider \"acmee\"; did you mean \"acme\""#))
    _ = try desk.ask(
      "POST /control/workshops/tuesday/clock",
      #"{"participants":["Ana"],"mode":"frozen","set":"2030-01-01T00:00:00Z"}"#)
    let clocks = ["tuesday-1", "tuesday-2"].map { desk.world.sandboxes[$0]?.clock.now.iso8601.prefix(4) }
    #expect(clocks == ["2030", "2026"])
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

  @Test("a step of the clock that is too large for one is made for the others; for all, it is an error")
  func clockEnd() throws {
    _ = try create()
    _ = try desk.ask(
      "POST /control/workshops/tuesday/clock",
      #"{"participants":["2"],"mode":"frozen","set":"9998-12-31T00:00:00Z"}"#)

    let answer = try desk.ask("POST /control/workshops/tuesday/clock", #"{"advance":"7d"}"#)

    #expect(
      answer.hasPrefix("200 ") && answer.contains(#""failed":[{"participant":"2","why":"$.advance: "#),
      "\(answer)")
    #expect(desk.world.sandboxes["tuesday-1"]?.clock.now == TestSandbox.start + .seconds(7 * 86_400))
    let alone = try desk.ask(
      "POST /control/workshops/tuesday/clock", #"{"participants":["2"],"advance":"7d"}"#)
    #expect(alone.hasPrefix(#"409 {"error":"2: $.advance: "#), "\(alone)")
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
