internal import COpenSSL

/// Keyed hashes (RFC 2104).
package enum HMAC {
  package enum Hash: Sendable {
    /// 16 bytes. Only for old clients, as is `sha1`.
    case md5
    /// 20 bytes.
    case sha1
    /// 32 bytes.
    case sha256
    /// 64 bytes.
    case sha512

    fileprivate var method: (native: OpaquePointer?, size: Int) {
      switch self {
      case .md5: (EVP_md5(), 16)
      case .sha1: (EVP_sha1(), 20)
      case .sha256: (EVP_sha256(), 32)
      case .sha512: (EVP_sha512(), 64)
      }
    }
  }

  package static func authenticate(_ message: [UInt8], key: [UInt8], _ hash: Hash = .sha256) -> [UInt8] {
    let (method, size) = hash.method
    return [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      // Without an address, OpenSSL would reuse the key of the last call.
      let key = key.isEmpty ? [0] : key
      let done = COpenSSL.HMAC(
        method, key, Int32(key.count), message, message.count, bytes.baseAddress, nil)
      precondition(done != nil, "HMAC failed")
      count = size
    }
  }
}

/// Compares two secrets. The time depends only on their lengths.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}

/// Compares the UTF-8 bytes of two secrets. The time depends only on their lengths.
package func constantTimeEqual(_ left: String, _ right: String) -> Bool {
  var (left, right) = (left, right)
  return left.withUTF8 { left in
    right.withUTF8 { right in
      left.count == right.count && CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
    }
  }
}
