import Crypto
import Domain
import Foundation
import HTTP
import ProviderKit
import Support
import Testing

@testable import Telesign

/// The signatures of `telesign-signatures.json`: 30 of the official Python SDK, two with `x-ts-date`.
@Suite("Telesign · digest vectors", .contract("telesign.md 2.3, data/telesign-auth-vectors.json"))
struct TelesignDigestTests {
  struct Vectors: Decodable, Sendable {
    let customerID: String
    let date: String
    let nonce: String
    let keys: [String: String]
    let vectors: [Vector]
  }

  struct Vector: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let key: String
    let method: String
    let path: String
    let contentType: String
    let body: String
    let stringToSign: String
    let signature: String

    var testDescription: String { "\(name), \(key)" }
  }

  static let file: Vectors = {
    do {
      return try JSONDecoder().decode(
        Vectors.self,
        from: Data(contentsOf: Checkout.root.appending(path: "Tests/Contracts/telesign-signatures.json")))
    } catch { preconditionFailure("telesign-signatures.json: \(error)") }
  }()

  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func digest(_ vector: Vector) throws -> Telesign.Digest {
    var headers: Headers = ["Content-Type": vector.contentType, "X-TS-Nonce": Self.file.nonce]
    let isByOwnDate = vector.stringToSign.contains("x-ts-date:")
    headers.add(isByOwnDate ? "x-ts-date" : "Date", Self.file.date)
    let method = vector.stringToSign.contains("HMAC-SHA1") ? "HMAC-SHA1" : "HMAC-SHA256"
    headers.add("x-ts-auth-method", method)
    let request = Request(
      try #require(HTTP.Method.allCases.first { $0.rawValue == vector.method }), Target(vector.path),
      headers: headers, body: Array(vector.body.utf8))
    var settings = Telesign.Settings()
    settings.dateTolerance = 0
    return try Telesign.Digest(request, in: telesign.sandbox, settings) {
      .unauthorized($0, in: .legacy, fineGrained: false)
    }
  }

  @Test("there are 32 vectors") func all() { #expect(Self.file.vectors.count == 32) }

  @Test("the string to sign is the provider's", arguments: file.vectors)
  func string(vector: Vector) throws {
    #expect(String(decoding: try digest(vector).expected.joined(), as: UTF8.self) == vector.stringToSign)
  }

  @Test("the signature is accepted; in strict mode too if the key is valid base64", arguments: file.vectors)
  func taken(vector: Vector) throws {
    let key = try #require(Self.file.keys[vector.key])
    let digest = try digest(vector)

    #expect(digest.verifies(vector.signature, keys: [key], strictly: false))
    #expect(digest.verifies(vector.signature, keys: [key], strictly: true) == !vector.key.hasPrefix("readme"))
  }

  @Test("with any byte of the signature changed it is rejected", arguments: file.vectors)
  func changed(vector: Vector) throws {
    let key = try #require(Self.file.keys[vector.key])
    let digest = try digest(vector)
    let signature = Array(vector.signature.utf8)

    for place in signature.indices {
      var other = signature
      other[place] = other[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      #expect(!digest.verifies(String(decoding: other, as: UTF8.self), keys: [key], strictly: false))
    }
  }

  @Test(
    "with any byte of the body changed it is rejected", arguments: file.vectors.filter { !$0.body.isEmpty })
  func changedBody(vector: Vector) throws {
    let key = try #require(Self.file.keys[vector.key])
    let bytes = Array(vector.body.utf8)

    for place in bytes.indices {
      var other = bytes
      other[place] ^= 1
      let changed = Vector(
        name: vector.name, key: vector.key, method: vector.method, path: vector.path,
        contentType: vector.contentType, body: String(decoding: other, as: UTF8.self),
        stringToSign: vector.stringToSign, signature: vector.signature)
      #expect(
        !(try digest(changed)).verifies(vector.signature, keys: [key], strictly: false), "byte \(place)")
    }
  }
}
