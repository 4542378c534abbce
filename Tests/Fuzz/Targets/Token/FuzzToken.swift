import Basics
import Crypto
import JSON
import ProviderKit

/// A text is no token, or one that the secret has not signed. The same bytes as claims are signed, read and
/// verified, and as a public key they are rejected or verify nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzToken(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeRawBufferPointer(start: data, count: size))
  let algorithms = JSONWebToken.Algorithm.allCases
  let text = String(decoding: bytes, as: UTF8.self)
  if let token = JSONWebToken(text, by: algorithms) {
    precondition(text.utf8.count <= JSONWebToken.maxSize)
    precondition(text.split(separator: ".", omittingEmptySubsequences: false).count == 3)
    precondition(text.contains(Base64.encodeForURL(token.payload)), "one form of the payload")
    precondition(algorithms.allSatisfy { (JSONWebToken(text, by: [$0]) != nil) == ($0 == token.algorithm) })
    precondition(!token.isSigned(withSecret: secret))
    for time in ["iat", "exp"] { _ = try? token.claims.unixTime(time, acceptsDigits: true).iso8601 }
  }

  let signed = JSONWebToken.sign(bytes, key: secret)
  if let token = JSONWebToken(signed, by: algorithms) {
    precondition(token.payload == bytes && token.algorithm == .hs256)
    precondition(token.isSigned(withSecret: secret) && !token.isSigned(withSecret: "another"))
    let isObject = (try? Fields(bytes)) != nil
    precondition((JSONWebToken.claims(of: signed, key: secret) != nil) == isObject)
    if let fields = try? Fields(bytes), let key = PublicKey(fields) {
      precondition(!token.isSigned(by: key), "a symmetric signature is not that of a public key")
    }
  } else {
    precondition(signed.utf8.count > JSONWebToken.maxSize, "a signed token is read again")
  }
  return 0
}

private let secret = "the sandbox's own"
