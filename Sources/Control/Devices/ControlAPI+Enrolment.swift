import Domain
import HTTP
import JSON

/// Registers apps on virtual handsets.
extension ControlAPI {
  static let newDevice = ObjectSchema(
    "NewDevice", DeviceForm.schema.summary,
    DeviceForm.schema.object.members + Enrolment.schema.object.members,
    constraints: DeviceForm.schema.constraints)

  /// Registers an app, and enrols it with the provider's own requests if the provider has some. All or nothing.
  func register(
    _ draft: Device.Draft, _ enrolment: Enrolment, _ fields: Fields, in sandbox: Sandbox
  ) throws -> Device {
    let enrol = sandbox.enrol(with: draft.provider)
    if enrol == nil, enrolment != Enrolment() {
      throw fields.mismatch(
        enrolment.identity == nil ? "service" : "identity",
        expected: "nothing, because apps of \(draft.provider) do not enrol")
    }
    do {
      return try sandbox.atomically {
        let device = try sandbox.devices.register(draft)
        try enrol?(device, enrolment, sandbox) { request in
          try transport.post(request, to: draft.provider, in: sandbox)
        }
        return device
      }
    } catch let failure as EnrolmentFailure {
      throw ControlProblem(status: 409, message: failure.description)
    }
  }
}

extension InProcessTransport {
  /// Sends an app's request to a provider of a sandbox; returns the body of a successful answer.
  fileprivate func post(_ app: AppRequest, to provider: String, in sandbox: Sandbox) throws -> [UInt8] {
    let form = app.form.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }
    var headers: Headers = ["Host": "127.0.0.1", "Content-Type": "application/x-www-form-urlencoded"]
    headers.add("Authorization", app.authorization)
    let response = answer(
      to: Request(
        .post, Target(path: "/s/\(sandbox.name)/\(provider)\(app.path)"), headers: headers,
        body: Array(form.joined(separator: "&").utf8)))
    guard let response, (200...299).contains(response.status.code) else {
      let reason = response.map { "\($0.status.code) \(String(decoding: $0.body, as: UTF8.self))" }
      throw EnrolmentFailure("the app did not enrol: \(app.path) answered \(reason ?? "late")")
    }
    return response.body
  }
}
