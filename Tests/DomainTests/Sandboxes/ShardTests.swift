import Basics
import Domain
import Support
import Testing

@Suite("Domain · shards")
struct ShardTests {
  @Test(
    "a shard's name fits into the ids of every provider",
    arguments: [
      ("ab", true), ("ff", true), ("a", false), ("abc", false), ("ag", false), ("AB", false), ("a1", false),
    ])
  func names(text: String, isValid: Bool) {
    #expect((Shard(text) != nil) == isValid)
  }

  @Test(
    "a sandbox's name starts with its shard, once",
    arguments: [("ci-17", "ab.ci-17"), ("ab.ci", "ab.ci"), ("cd.ci", "cd.ci"), ("v1.ci", "ab.v1.ci")])
  func sandboxNames(name: String, full: String) {
    #expect(Shard("ab")?.name(for: name) == full)
  }

  @Test("the public part of a credential starts with the shard, in the alphabet of the credential")
  func credentials() throws {
    let world = try World()
    let sandbox = try #require(try world.sandboxes.create("ab.ci", .init()))
    let plain = try #require(try world.sandboxes.create("ci", .init()))

    let marked = [Entropy.Alphabet.hex, .base32, .alphanumeric].map {
      sandbox.credentialName("key", length: 10, of: $0)
    }

    #expect(marked.map { $0.prefix(2) } == ["ab", "AB", "ab"])
    #expect(marked.map(\.count) == [10, 10, 10])
    #expect(
      plain.credentialName("key", length: 10, of: .hex) == plain.entropy.secret("key", length: 10, of: .hex))
    #expect(marked[0].dropFirst(2) == sandbox.entropy.secret("key", length: 10, of: .hex).dropFirst(2))
    let (unguessable, source) = (
      sandbox.credentialName("key", length: 10, of: .hex, from: sandbox.tokenEntropy), sandbox.tokenEntropy
    )
    #expect(unguessable == "ab" + source.secret("key", length: 10, of: .hex).dropFirst(2))
  }

  @Test("a tag changes with the sandbox, not with others")
  func tags() throws {
    let world = try World()
    let first = try #require(try world.sandboxes.create("a", .init()))
    let second = try #require(try world.sandboxes.create("b", .init()))
    let before = (first.stateTag, second.stateTag)

    try first.start()

    #expect(first.stateTag != before.0)
    #expect(second.stateTag == before.1)
    #expect(first.stateTag != second.stateTag)
  }
}
