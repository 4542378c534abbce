import Domain
import HTTP

/// Whether the process is well, and what it has done.
extension ControlAPI {
  func live(_ request: Request, _ sandbox: Sandbox) -> Response { .text(200, "ok\n") }

  /// Asks the database, so that a sandbox which cannot be read is not called ready.
  func ready(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    _ = try sandbox.events.after(Int.max)
    return .text(200, "ok\n")
  }

  func prometheus(_ request: Request, _ sandbox: Sandbox) -> Response {
    Response(
      200, headers: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"],
      body: Array(metrics.text(sandboxes: sandboxes.all.count).utf8))
  }
}
