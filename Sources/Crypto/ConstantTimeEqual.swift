internal import COpenSSL

/// Whether two secrets agree, in a time that tells their lengths and nothing else.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}

/// Whether two secret texts have the same UTF-8 bytes, in a time that tells their lengths and nothing else.
package func constantTimeEqual(_ left: String, _ right: String) -> Bool {
  var (left, right) = (left, right)
  return left.withUTF8 { left in
    right.withUTF8 { right in
      left.count == right.count && CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
    }
  }
}
