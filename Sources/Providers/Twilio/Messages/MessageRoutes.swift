import ProviderKit

extension TwilioProvider {
  static var messageRoutes: [Route<Sandbox>] {
    let messages: Pattern = "/2010-04-01/Accounts/{account}/Messages.json"
    let message: Pattern = "/2010-04-01/Accounts/{account}/Messages/{message}.json"
    let media: Pattern = "/2010-04-01/Accounts/{account}/Messages/{message}/Media/{media}.json"
    return [
      .get(messages, as: "listMessages", authenticated(listMessages)),
      .post(messages, as: "createMessage", signedIn(createMessage)),
      .get(message, as: "fetchMessage", authenticated(fetchMessage)),
      .post(message, as: "updateMessage", authenticated(updateMessage)),
      .delete(message, as: "deleteMessage", authenticated(deleteMessage)),
      .post(
        "/2010-04-01/Accounts/{account}/Messages/{message}/Feedback.json", as: "createMessageFeedback",
        authenticated(createMessageFeedback)),
      .get(
        "/2010-04-01/Accounts/{account}/Messages/{message}/Media.json", as: "listMedia",
        authenticated(listMedia)),
      .get(media, as: "fetchMedia", authenticated(fetchMedia)),
      .delete(media, as: "deleteMedia", authenticated(deleteMedia)),
    ]
  }
}
