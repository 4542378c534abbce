internal import COpenSSL

/// The hash of RFC 3174. Not collision-resistant: only for protocols that require it.
package enum SHA1 {
  /// 20 bytes.
  package static func hash(_ message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 20) { bytes, count in
      let code = EVP_Digest(message, message.count, bytes.baseAddress, nil, EVP_sha1(), nil)
      precondition(code == 1, "SHA-1 failed")
      count = 20
    }
  }
}
