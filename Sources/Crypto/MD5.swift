internal import COpenSSL

/// The hash of RFC 1321. Not collision-resistant: only for protocols that require it.
package enum MD5 {
  /// 16 bytes.
  package static func hash(_ message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { bytes, count in
      let code = EVP_Digest(message, message.count, bytes.baseAddress, nil, EVP_md5(), nil)
      precondition(code == 1, "MD5 failed")
      count = 16
    }
  }
}
