import Markup
import ProviderKit

/// The request that checks the newest code of a provider.
struct CodeCheck {
  private let script: ShellScript
  private let message: Message?

  static let placeholder = "PUT-THE-CODE-HERE"

  /// Nil if the provider's page has no such program, or none that every shell can have.
  init?(
    _ program: ProviderPrograms.Program?, of provider: String, in sandbox: Sandbox,
    with values: [String: String]
  ) throws {
    guard let program, let script = ShellScript(program.text(with: values)) else { return nil }
    var filter = Messages.Filter()
    (filter.provider, filter.hasCode) = (provider, true)
    message = try sandbox.messages.latest(filter)
    var known = script.constants.merging(["CODE": message?.code ?? Self.placeholder]) { $1 }
    if let message { known.merge(["NUMBER": message.destination, "REFERENCE": message.reference]) { $1 } }
    self.script = script.with(known)
  }

  func html(in shell: Shell) -> HTML {
    HTML {
      h3 { "Then check the code" }
      if let message, let code = message.code {
        p(.class("help")) { "With the newest code, \(code) to \(message.destination)." }
      } else {
        p(.class("help")) { "Once a code was sent, it is filled in here." }
      }
      if let text = script.text(for: shell) ?? script.text(for: .sh) { CopyableCode(text).html }
    }
  }
}
