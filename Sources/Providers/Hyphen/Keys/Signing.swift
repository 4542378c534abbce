import Crypto
import ProviderKit

// Signatures by the provider's keys: transactions need one besides the user's. Source: contract 4.6 and 5.3.

/// `GET /sign/v1/cadence`
func fetchPayer(_ context: RequestContext, _ session: Session) throws -> Response {
  let payer = Payer(in: context.sandbox)
  return .json(200) {
    $0.member("payerAddress", payer.address)
    $0.member("payerKeyIndex", payer.keyIndex)
  }
}

/// `POST /sign/v1/cadence/transaction`
func signTransaction(_ context: RequestContext, _ session: Session) throws -> Response {
  let keys = try Key.all(of: session.account.id, in: context.sandbox)
  let index = keys.first { $0.kind == .server }?.index ?? 0
  return try signMessage(of: context, with: .accounts, address: session.account.address, keyIndex: index)
}

/// `POST /sign/v1/cadence/paymaster`
func signAsPayer(_ context: RequestContext, _ session: Session) throws -> Response {
  let payer = Payer(in: context.sandbox)
  return try signMessage(of: context, with: .payer, address: payer.address, keyIndex: payer.keyIndex)
}

/// The account that pays fees.
private struct Payer {
  let address: String
  let keyIndex = 0

  init(in sandbox: Sandbox) {
    address = "0x" + sandbox.entropy.identifier("hyphen payer", 0).prefix(16)
  }
}

/// The longest message in digits: that of a transaction of the chain is shorter.
private let maxDigits = 128 << 10

/// Signs `message`, which is hex, with ECDSA and SHA-256.
private func signMessage(
  of context: RequestContext, with key: ServerKey, address: String, keyIndex: Int
) throws -> Response {
  let text = try context.body.string("message")
  guard (2...maxDigits).contains(text.utf8.count), let message = Hex.decode(text.utf8) else {
    throw APIError.invalid("message", expected: "2 to \(maxDigits) hex digits, in pairs")
  }
  let signature = key.pair(in: context.sandbox)?.deterministicRawSignature(of: message) ?? []
  return .json(200) { json in
    json.object("signature") {
      $0.member("addr", address)
      $0.member("keyId", keyIndex)
      $0.member("signature", Hex.encode(signature))
    }
  }
}
