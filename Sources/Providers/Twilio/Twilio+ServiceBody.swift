import Domain
import JSON

extension Twilio {
  /// A Service as answers show it. Source: contract 3.
  struct ServiceBody {
    let service: Service
    /// Scheme and authority of links.
    let base: String

    /// The whole answer.
    var encoded: [UInt8] { JSONWriter.object { write(to: &$0) } }

    /// Its members, for a list.
    func write(to json: inout JSONWriter) {
      json.member("sid", service.sid)
      json.member("account_sid", service.account)
      json.member("friendly_name", service["FriendlyName"])
      json.member("code_length", service["CodeLength"])
      json.member("lookup_enabled", service["LookupEnabled"])
      json.member("psd2_enabled", service["Psd2Enabled"])
      json.member("skip_sms_to_landlines", service["SkipSmsToLandlines"])
      json.member("dtmf_input_required", service["DtmfInputRequired"])
      json.member("tts_name", service["TtsName"])
      json.member("do_not_share_warning_enabled", service["DoNotShareWarningEnabled"])
      json.member("custom_code_enabled", service["CustomCodeEnabled"])
      writeChannels(to: &json)
      writePasskeys(to: &json)
      json.member("default_template_sid", service["DefaultTemplateSid"])
      json.member("verify_event_subscription_enabled", service["VerifyEventSubscriptionEnabled"])
      json.member("date_created", service.createdAt.iso8601)
      json.member("date_updated", service.updatedAt.iso8601)
      writeLinks(to: &json)
    }

    private func writeChannels(to json: inout JSONWriter) {
      json.object("push") {
        $0.member("include_date", service["Push.IncludeDate"])
        $0.member("apn_credential_sid", service["Push.ApnCredentialSid"])
        $0.member("fcm_credential_sid", service["Push.FcmCredentialSid"])
      }
      json.object("totp") {
        $0.member("issuer", service["Totp.Issuer"])
        $0.member("time_step", service["Totp.TimeStep"])
        $0.member("code_length", service["Totp.CodeLength"])
        $0.member("skew", service["Totp.Skew"])
      }
      json.object("whatsapp") {
        $0.member("msg_service_sid", service["Whatsapp.MsgServiceSid"])
        $0.member("from", service["Whatsapp.From"])
      }
    }

    private func writePasskeys(to json: inout JSONWriter) {
      json.object("passkeys") { json in
        json.object("relying_party") {
          $0.member("id", service["Passkeys.RelyingParty.Id"])
          $0.member("name", service["Passkeys.RelyingParty.Name"])
          $0.member("origins", service["Passkeys.RelyingParty.Origins"])
        }
        json.member("authenticator_attachment", service["Passkeys.AuthenticatorAttachment"])
        json.member("discoverable_credentials", service["Passkeys.DiscoverableCredentials"])
        json.member("user_verification", service["Passkeys.UserVerification"])
      }
    }

    /// The link named `verification_checks` ends in the singular.
    private func writeLinks(to json: inout JSONWriter) {
      let url = "\(base)/v2/Services/\(service.sid)"
      json.member("url", url)
      json.object("links") {
        $0.member("verification_checks", url + "/VerificationCheck")
        $0.member("verifications", url + "/Verifications")
        $0.member("rate_limits", url + "/RateLimits")
        $0.member("messaging_configurations", url + "/MessagingConfigurations")
        $0.member("entities", url + "/Entities")
        $0.member("webhooks", url + "/Webhooks")
        $0.member("access_tokens", url + "/AccessTokens")
      }
    }
  }
}
