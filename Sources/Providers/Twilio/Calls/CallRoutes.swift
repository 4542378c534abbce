import ProviderKit

extension TwilioProvider {
  static var callRoutes: [Route<Sandbox>] {
    let calls: Pattern = "/2010-04-01/Accounts/{account}/Calls.json"
    let call: Pattern = "/2010-04-01/Accounts/{account}/Calls/{call}.json"
    let twimlets: [(path: Pattern, name: String)] = [
      ("/echo", "echoTwimlet"), ("/message", "messageTwimlet"), ("/holdmusic", "holdMusicTwimlet"),
      ("/docs/voice.xml", "fetchVoiceExample"), ("/welcome/voice", "fetchVoiceWelcome"),
    ]
    return [
      .get(calls, as: "listCalls", authenticated(listCalls)),
      .post(calls, as: "createCall", signedIn(createCall)),
      .get(call, as: "fetchCall", authenticated(fetchCall)),
      .post(call, as: "updateCall", authenticated(updateCall)),
      .delete(call, as: "deleteCall", authenticated(deleteCall)),
      .get(
        "/2010-04-01/Accounts/{account}/Calls/{call}/Events.json", as: "listCallEvents",
        authenticated(listCallEvents)),
    ] + twimlets.map { Route.get($0.path, as: $0.name, showTwimlet).hostBound }
  }
}
