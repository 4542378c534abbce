import ArgumentParser
import HTTP
import Testing

@testable import ringfence

@Suite("Doctor")
struct DoctorTargetTests {
  private func target(_ url: String) throws -> DoctorTarget {
    let address = try #require(AbsoluteURL(url))
    return DoctorTarget(
      url: address, tls: .direct(host: address.host, port: address.port), authorityFolder: ".",
      token: try AdminTokenOption.parse([]))
  }

  @Test(
    "all loopback addresses and names are this machine",
    arguments: [
      ("http://127.3.2.1:5550", true), ("http://[::1]:5550", true), ("http://ringfence.localhost:5550", true),
      ("http://127.example.com:5550", false), ("http://192.0.2.7:5550", false),
    ])
  func loopback(url: String, isHere: Bool) throws {
    #expect(try target(url).isOnThisMachine == isHere)
    #expect(try target("http://127.0.0.1:5550").matches(#require(AbsoluteURL(url))) == isHere)
  }
}
