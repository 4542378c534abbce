import Markup
import ProviderKit

/// One handset, full screen: for a real phone that plays this one.
struct PhonePage: Page {
  private let phone: Phone
  /// What a screen of a phone's size shows first.
  private let lock: LockScreen
  private let stories: [VerificationStory]
  /// To whom the person can write.
  private let senders: [String]
  private let now: Timestamp
  /// The ordinal before which there are more messages; nil if all are shown.
  private let earlier: Int?
  /// True if there are newer ones.
  private let isOlder: Bool

  var title: String { phone.name }

  var shape: String? { "own-phone" }

  private static let messageLimit = 100
  /// For each provider.
  private static let verificationLimit = 5

  init(_ request: Request, _ sandbox: Sandbox, providers: [any Provider.Type]) throws {
    let holder = request[parameter: "number"]
    var filter = Messages.Filter()
    filter.destination = holder
    let before = try request.query["before"].flatMap(Int.init)
    filter.before = before ?? .max
    isOlder = before != nil
    let found = try sandbox.messages.submitted(filter, limit: Self.messageLimit + 1)
    let messages = Array(found.suffix(Self.messageLimit))
    earlier = found.count > messages.count ? messages.first?.ordinal : nil
    let shown = messages.filter { !$0.isRemoved }
    let newest = try sandbox.messages.submitted(.init(), limit: PhonesPage.messageLimit)
    let oldest = earlier ?? 0
    let isShown = { (ordinal: Int) in oldest <= ordinal && ordinal < filter.before }
    let sent = newest.filter {
      $0.isFromHandset && !$0.isRemoved && $0.sender == holder && isShown($0.ordinal)
    }
    let challenges = try sandbox.challenges.withoutPush(of: holder, limit: Self.messageLimit)
      .filter { isShown($0.ordinal) }
    guard !messages.isEmpty || !challenges.isEmpty || PhoneNumber(holder) != nil else {
      throw try NotFound("phone \(holder)", request, sandbox)
    }
    now = sandbox.clock.now
    let verifications = try providers.flatMap {
      try sandbox.verifications.list($0.name, of: holder, before: .max, limit: Self.verificationLimit)
    }.sorted { $0.ordinal > $1.ordinal }
    let sessions = try verifications.flatMap { try sandbox.silentSessions.all(of: $0.ordinal) }
      .filter { isShown($0.ordinal) }.sorted { $0.ordinal < $1.ordinal }
    phone = try Phone(
      HandsetOwner(holder, shown, sent: sent, sessions, challenges, in: sandbox, providers: providers),
      in: sandbox)
    stories = verifications.map { [now] verification in
      VerificationStory(
        Subject(.verification(verification)),
        messages.filter { verifications.sender(of: $0)?.ordinal == verification.ordinal },
        sessions.filter { $0.draft.verification == verification.ordinal }, failure: nil, at: now)
    }
    lock = try phone.lockScreen(in: sandbox)
    senders = try sandbox.messages.senders(amongNewest: PhonesPage.messageLimit)
  }

  /// The ways to the thread, and to the frame, which such a screen hides.
  private var home: HTML {
    nav(.class("home"), .label("Phone")) {
      a(.href("#phones")) { "Messages" }
      a(.href("#rail")) { "Console" }
    }
  }

  func content(_ layout: Layout) -> HTML {
    lock.html(layout, home: home)
    div(.class("single")) {
      section(.id("phones"), .label("Phone")) {
        phone.page(layout, senders: senders, earlier: earlier)
        if isOlder { p(.class("further")) { a(.href("?")) { "Newest messages" } } }
      }
      if !stories.isEmpty {
        section(.class("panel"), .id("verifications")) {
          div(.class("aside-head")) { h2 { "Verifications" } }
          StoryList(stories, now: now, layout).html
        }
      }
    }
  }
}
