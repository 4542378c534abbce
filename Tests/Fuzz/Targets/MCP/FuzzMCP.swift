import CatalogSupport
import HTTP
import JSON
import Support

/// Kept from input to input, because a sandbox takes a while to make.
nonisolated(unsafe) private var world: TestSandbox?

/// Whatever bytes a client sends as messages, the answer is one of the protocol, and nothing fails inside.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMCP(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeRawBufferPointer(start: data, count: size))
  guard let version = bytes.first else { return 0 }
  do {
    let sandbox = try world ?? TestSandbox.withCatalog()
    world = sandbox
    var headers: Headers = ["Host": "127.0.0.1", "Content-Type": "application/json"]
    if version % 2 == 1 { headers.add("MCP-Protocol-Version", "2025-06-18") }
    let answer = try sandbox.answer(
      Request(.post, Target("/mcp"), headers: headers, body: Array(bytes.dropFirst())))
    check(answer)
    precondition(sandbox.reports.isEmpty, "\(sandbox.reports)")
  } catch {
    preconditionFailure("\(error)")
  }
  return 0
}

private func check(_ answer: Response) {
  precondition([200, 202, 400].contains(answer.status.code), "status \(answer.status.code)")
  guard answer.status != 202 else { return precondition(answer.body.isEmpty) }
  guard let json = try? JSON(parsing: answer.body, limits: .seed) else {
    preconditionFailure("no JSON: \(String(decoding: answer.body, as: UTF8.self))")
  }
  if case .array(let answers) = json {
    for each in answers { checkMessage(each) }
  } else {
    checkMessage(json)
  }
}

private func checkMessage(_ json: JSON) {
  precondition(json["jsonrpc"] == .string("2.0") && json["id"] != nil, "\(json)")
  precondition((json["result"] == nil) != (json["error"] == nil), "\(json)")
}
