import Domain
import HTTP
import JSON

/// Registers apps on virtual handsets.
extension ControlAPI {
  static let newDevice = ObjectSchema(
    "NewDevice", DeviceForm.schema.summary,
    DeviceForm.schema.object.members + Enrolment.schema.object.members,
    constraints: DeviceForm.schema.constraints)

  /// Registers an app as the provider's SDK does.
  func register(
    _ draft: Device.Draft, _ enrolment: Enrolment, _ fields: Fields, in sandbox: Sandbox
  ) throws -> Device {
    let known = sandbox.mobileSDK(of: draft.provider)?.members ?? []
    for member in enrolment.members where !known.contains(member) {
      throw fields.mismatch(
        member.rawValue, expected: "nothing, because apps of \(draft.provider) enrol without it")
    }
    do {
      return try sandbox.devices.enrol(draft, enrolment)
    } catch let refusal as AppRefusal {
      throw ControlProblem(status: 409, message: "the app did not enrol: \(refusal)")
    }
  }
}
