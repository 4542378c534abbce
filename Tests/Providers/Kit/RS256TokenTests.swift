import Domain
import JSON
import ProviderKit
import Support
import Testing

@Suite("Kit · tokens with RS256", .contract("https://www.rfc-editor.org/rfc/rfc7515", read: "2026-11-26"))
struct RS256TokenTests {
  /// Signed with the key `accounts` of the default seed.
  private let text = """
    eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJhcHBsaWNhdGlvbl9pZCI6IjVhMGQwYjBjLTAwMDAtNDAwMC04M\
    DAwLTAwMDAwMDAwMDAwMSIsImlhdCI6MTc2NzYwODQzMCwianRpIjoiMSIsImV4cCI6MTc2NzYwOTMzMH0.TfL1ZAv\
    VazQyJYccrUbIJ-fXQHRrqAkBu-kpnGLyW1uhPYGXi9eTsG8PCA-k1hvsihbaEFF3G5Q15KCovR7kk_58cf1tdmr1X\
    8Gou-sA9yN10U5Rp4o92J3Hqx-8Tboqk7Az3UfsbWa5OoLweluVN2n8aKpyEC4f55pSh8Z7-zwW2xMDXP0mPuqEFEF\
    PIyKF42wnNNblRq-NuUUtN03wqntegrYZSBi_GVx2TynhwhESsOx2eCw2GT2Smu2k5Ohq6vMyIvuLGEAJ_fmXgy171\
    fsFZBkrGpZ167fPk6fZ4zm9GGm2W2vbcik0CiRbm9xGAWYnxnmwsx3Q-j6Qe9e1wA
    """

  @Test("the claims and times of a token are read, and its signature is verified")
  func valid() throws {
    let world = try TestSandbox()
    let key = try #require(try world.sandbox.keys[.accounts]).publicPEM
    let token = try #require(RS256Token(text))

    #expect(token.isSigned(by: key))
    #expect(!token.isSigned(by: "no key"))
    #expect(try token.claims.string("jti") == "1")
    #expect(token.time("iat")?.iso8601 == "2026-01-05T10:20:30Z")
    #expect(token.time("exp")?.iso8601 == "2026-01-05T10:35:30Z")
    #expect(token.time("nbf") == nil)
    #expect(token.time("jti") == nil)
  }

  @Test("a changed token has another signature; other texts are no tokens")
  func invalid() throws {
    let world = try TestSandbox()
    let key = try #require(try world.sandbox.keys[.accounts]).publicPEM
    let parts = text.split(separator: ".")
    let changed = try #require(RS256Token("\(parts[0]).e30.\(parts[2])"))

    #expect(!changed.isSigned(by: key))
    #expect(changed.time("exp") == nil)
    for other in [
      "", "a.b", "a.b.c", "e30.e30.", "\(parts[0]).\(parts[1])", String(repeating: "a", count: 20_000),
    ] {
      #expect(RS256Token(other) == nil)
    }
  }
}
