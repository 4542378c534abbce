import Crypto
import Testing

@Suite("Constant-time comparison")
struct ConstantTimeEqualTests {
  @Test(
    "it has the same result as ==",
    arguments: [
      ("", ""), ("", "a"), ("a", ""), ("secret", "secret"), ("secret", "secreT"), ("secret", "Secret"),
      ("secret", "secret "), ("é", "e\u{301}"), ("é", "é"),
      ("a much longer secret text", "a much longer secret text"),
    ])
  func equality(left: String, right: String) {
    let (leftBytes, rightBytes) = (Array(left.utf8), Array(right.utf8))

    #expect(constantTimeEqual(leftBytes, rightBytes) == (leftBytes == rightBytes))
    #expect(constantTimeEqual(left, right) == (leftBytes == rightBytes))
  }
}
