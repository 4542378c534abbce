import Domain
import ProviderKit

/// The code of a verification: the callback's, the number's own, or one from the entropy. Source: contract 3.
func code(
  for verification: Verification, _ options: MethodOptions, _ settings: Settings, in sandbox: Sandbox
) throws -> String {
  if let code = options.code { return code }
  let claim = verification.claim
  let subscriber = try PhoneNumber(claim.destination).map { try sandbox.subscribers[$0] }
  if options.codeType == .numeric || subscriber?.code != nil {
    return sandbox.codes.code(
      for: claim, series: verification.series, length: settings.codeLength, subscriber: subscriber)
  }
  let label = "Sinch code \(verification.series) of \(claim.destination)"
  let characters = sandbox.entropy.secret(label, length: settings.codeLength, of: .base32)
  guard options.codeType == .alpha else { return characters }
  // Base32 has the digits 2 to 7.
  return String(characters.map { $0.isNumber ? letters[$0] ?? "Z" : $0 })
}

private let letters: [Character: Character] = [
  "2": "A", "3": "B", "4": "C", "5": "D", "6": "E", "7": "F",
]
