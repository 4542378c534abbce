import Crypto
import ProviderKit

/// The signing keys of a server that requires a token, in place of the published ones of the default seed.
struct OwnKeys {
  static let fileName = "signing-keys.json"

  private let file: SeedLibrary.File
  /// By the text of the private key.
  private let pairs: [String: SigningKey]

  /// Makes the keys at the first start, and keeps them in the folder if there is one.
  init(in folder: String?) throws {
    let path = folder.map { "\($0)/\(Self.fileName)" }
    if let path, Files.exists(path) {
      let bytes = try Files.read(path)
      guard let pairs = Self.pairs(in: bytes) else {
        throw Files.Failure(path: path, reason: "expected private RSA keys; delete it to get new ones")
      }
      (file, self.pairs) = (SeedLibrary.File(name: path, bytes: bytes), pairs)
    } else {
      let keys = SigningKeys.Purpose.allCases.map { ($0.rawValue, RSAPrivateKey().privatePEM) }
      let bytes = JSONWriter.object { json in
        json.object("keys") { json in for (name, pem) in keys { json.member(named: name, pem) } }
      }
      if let path { try Files.write(bytes, to: path, isSecret: true) }
      file = SeedLibrary.File(name: Self.fileName, bytes: bytes)
      pairs = Self.pairs(in: bytes) ?? [:]
    }
  }

  func replaceKeys(of seeds: inout SeedLibrary) {
    seeds.replaceKeys(by: file) { [pairs] in pairs[$0] ?? ShippedKey.read($0) }
  }

  /// Nil unless there is a private RSA key for each purpose.
  private static func pairs(in bytes: [UInt8]) -> [String: SigningKey]? {
    guard let keys = (try? JSON(parsing: bytes))?["keys"] else { return nil }
    var pairs: [String: SigningKey] = [:]
    for purpose in SigningKeys.Purpose.allCases {
      guard case .string(let pem)? = keys[purpose.rawValue], let pair = SigningKey(pem: pem) else {
        return nil
      }
      pairs[pem] = pair
    }
    return pairs
  }
}
