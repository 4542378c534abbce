import Basics
import JSON

/// What is wrong with an answer that an app on a virtual handset sends.
package enum AnswerFault: String, CaseIterable, Sendable {
  /// The app has another key than the registered one.
  case wrongKey
  /// The app sends it although the challenge was answered or has expired.
  case late
}

extension HandsetApp {
  /// The app of a device that answers with a fault.
  init(_ device: Device, answeringWith fault: AnswerFault?, in sandbox: Sandbox) {
    var device = device
    if fault == .wrongKey, device.privateKey != nil {
      device.privateKey = sandbox.makeKey("wrong key \(device.ordinal)").privatePEM
    }
    self.init(device: device, sandbox: sandbox, fault: fault)
  }
}

extension Sandbox {
  /// A key that follows from the entropy and this label.
  func makeKey(_ label: String) -> SigningKey { shared.settings.makeKey(keySecret(label)) }

  /// 32 bytes that follow from the entropy and this label. The first bit is 0 and the last is 1, so the
  /// number is between 1 and the order of every curve of 256 bits.
  package func keySecret(_ label: String) -> [UInt8] {
    guard var bytes = Hex.decode(tokenEntropy.secret(label, length: 64, of: .hex).utf8) else {
      preconditionFailure("a secret consists of hex digits")
    }
    bytes[0] &= 0x7F
    bytes[31] |= 1
    return bytes
  }
}
