import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · devices", .contract("camara.md 4, 10"))
struct CAMARADeviceTests {
  let camara: CAMARAWorld

  init() throws { camara = try CAMARAWorld() }

  private static let identifier = "/device-identifier/v0.3"

  @Test("M49: a token of the subscriber needs no device")
  func reachability() throws {
    try camara.subscriber(CAMARAWorld.a, #"{"reach":{"data":true,"sms":true}}"#)

    try camara.ask("/device-reachability-status/v1/retrieve", as: CAMARAWorld.a).matches(golden: "both")
  }

  @Test("a device has its IMEI, and what the record says about its model")
  func identifiers() throws {
    _ = try camara.ask("\(Self.identifier)/retrieve-identifier", as: CAMARAWorld.a)
    try camara.subscriber(
      CAMARAWorld.a,
      #"{"imei":"490154203237518","handset":{"manufacturer":"Plover","model":"Plover 3","softwareVersion":"07"}}"#
    )

    try camara.ask("\(Self.identifier)/retrieve-identifier", as: CAMARAWorld.a).matches(golden: "known")
    try camara.ask("\(Self.identifier)/retrieve-type", as: CAMARAWorld.a).matches(golden: "known")
  }

  @Test("M58: a pseudonym is one for a client and a device")
  func pseudonym() throws {
    for number in 1...2 {
      let answer = try camara.ask("\(Self.identifier)/retrieve-ppid", as: CAMARAWorld.a)
      if number == 2 { answer.matches(golden: "pseudonym") }
      #expect(try camara.fields(of: answer).string("ppid").count == 64)
    }
  }
}
