internal import COpenSSL

/// The hash of RFC 1321. Not collision-resistant: only for protocols that require it.
package enum MD5 {
  /// 16 bytes.
  package static func hash(_ message: [UInt8]) -> [UInt8] { digest(of: message, by: EVP_md5(), size: 16) }
}

/// The hash of RFC 3174. Not collision-resistant: only for protocols that require it.
package enum SHA1 {
  /// 20 bytes.
  package static func hash(_ message: [UInt8]) -> [UInt8] { digest(of: message, by: EVP_sha1(), size: 20) }
}

/// The hash of FIPS 180-4.
package enum SHA256 {
  /// 32 bytes.
  package static func hash(_ message: [UInt8]) -> [UInt8] { digest(of: message, by: EVP_sha256(), size: 32) }
}

private func digest(of message: [UInt8], by algorithm: OpaquePointer?, size: Int) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
    let code = EVP_Digest(message, message.count, bytes.baseAddress, nil, algorithm, nil)
    precondition(code == 1, "a digest failed")
    count = size
  }
}
