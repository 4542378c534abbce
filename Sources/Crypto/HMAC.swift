internal import COpenSSL

/// Keyed hashes (RFC 2104).
package enum HMAC {
  /// The hash that a keyed one is made of.
  package enum Hash: Sendable {
    /// 20 bytes; for clients of old.
    case sha1
    /// 32 bytes.
    case sha256
  }

  /// The keyed hash of a message.
  package static func authenticate(_ message: [UInt8], key: [UInt8], _ hash: Hash = .sha256) -> [UInt8] {
    let (method, size) = hash == .sha1 ? (EVP_sha1(), 20) : (EVP_sha256(), 32)
    return [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      // An empty key still needs an address, or OpenSSL takes the one of the last call.
      let key = key.isEmpty ? [0] : key
      let done = COpenSSL.HMAC(
        method, key, Int32(key.count), message, message.count, bytes.baseAddress, nil)
      precondition(done != nil, "HMAC fails only where memory ends")
      count = size
    }
  }
}
