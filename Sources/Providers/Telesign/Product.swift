/// A product that can be switched off for the account, and that has its own rate limit. Source: contract 15.
enum Product: String, CaseIterable {
  case verify
  case silent
  case smsVerify = "sms_verify"
  case voiceVerify = "voice_verify"
  case smartVerify = "smart_verify"
  case appVerify = "app_verify"
  case push
  case messaging
  case omnichannel
  case voice
  case phoneID = "phoneid"
  case intelligence
  case teleBureau = "telebureau"
}
