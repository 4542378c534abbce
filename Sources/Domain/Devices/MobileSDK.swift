package import Basics

/// What a provider's mobile SDK does in an app on a virtual handset. It changes state by the provider's
/// public requests only. What the app has kept, such as its registration, it reads from the sandbox.
package struct MobileSDK {
  /// Registers the app with the provider.
  package typealias Register = (HandsetApp, Enrolment) throws -> Void
  /// Sends a person's answer to a challenge. The provider's route records it with `Challenges.answer(_:to:)`.
  package typealias Answer = (HandsetApp, Challenge.Answer, Challenge) throws -> Void

  /// The members of an enrolment that `register` reads.
  package let members: Set<Enrolment.Member>
  /// True if the app signs times of the handset's clock.
  let signsTimes: Bool
  let register: Register
  let answer: Answer

  package init(
    reading members: Set<Enrolment.Member> = [], signsTimes: Bool = false,
    register: @escaping Register, answer: @escaping Answer
  ) {
    self.members = members
    self.signsTimes = signsTimes
    self.register = register
    self.answer = answer
  }
}

extension Sandbox {
  package func mobileSDK(of provider: String) -> MobileSDK? {
    shared.hooks.first { $0.name == provider }?.mobileSDK
  }
}

/// An app on a virtual handset: its registration, the handset's clock, and requests to its provider.
package struct HandsetApp {
  package let device: Device
  package let sandbox: Sandbox
  /// What is wrong with the answer that it sends. With `wrongKey`, the device has another private key.
  package var fault: AnswerFault?

  /// The time that the handset shows.
  package var now: Timestamp { sandbox.clock.now + .seconds(device.draft.handset.clockOffset ?? 0) }

  /// The code that the person reads in a message. Throws if none is on its way.
  package func readCode(about reference: String) throws -> String {
    let message = try sandbox.messages.find(about: reference, to: device.draft.holder)
    guard let message, message.arrivesAt != nil, let code = message.code else {
      throw AppRefusal("no code for \(reference) reaches \(device.draft.holder)")
    }
    return code
  }

  /// Keeps the provider's id of the registration.
  package func keep(reference: String) throws {
    _ = try sandbox.devices.change(device, reference: reference)
  }

  /// Sends a request to the provider; returns the answer, whatever its status is. Throws if there is none.
  package func exchange(_ request: AppRequest) throws(AppRefusal) -> AppResponse {
    try sandbox.exchange(request, with: device.draft.provider)
  }

  /// Sends a request to the provider; returns the body of a successful answer. Throws for others.
  package func send(_ request: AppRequest) throws(AppRefusal) -> [UInt8] {
    try sandbox.send(request, to: device.draft.provider)
  }
}
