import Domain
import HTTP
import JSON
import ProviderKit

/// A Service as answers show it, with the vendor's defaults for what was not set. Source: contract 3.
struct ServiceBody {
  let shared: Shared<Service>
  /// Scheme and authority of links.
  let base: String

  private var service: Service { _read { yield shared.value } }

  /// The body of a Service that requests share.
  init(_ shared: Shared<Service>, base: String) {
    self.shared = shared
    self.base = base
  }

  /// The whole answer.
  var encoded: [UInt8] { JSONWriter.object { write(to: &$0) } }

  /// Its members, for a list.
  func write(to json: inout JSONWriter) {
    json.member("sid", service.sid)
    json.member("account_sid", service.account)
    json.member("friendly_name", service.friendlyName)
    json.member("code_length", service.codeLength ?? 6)
    json.member("lookup_enabled", service.lookupEnabled ?? false)
    json.member("psd2_enabled", service.psd2Enabled ?? false)
    json.member("skip_sms_to_landlines", service.skipSmsToLandlines ?? false)
    json.member("dtmf_input_required", service.dtmfInputRequired ?? true)
    json.member("tts_name", service.ttsName)
    json.member("do_not_share_warning_enabled", service.doNotShareWarningEnabled ?? false)
    json.member("custom_code_enabled", service.customCodeEnabled ?? false)
    writeChannels(to: &json)
    writePasskeys(to: &json)
    json.member("default_template_sid", service.defaultTemplateSid)
    json.member("verify_event_subscription_enabled", service.verifyEventSubscriptionEnabled ?? false)
    service.createdAt.write(iso8601: "date_created", to: &json)
    service.updatedAt.write(iso8601: "date_updated", to: &json)
    writeLinks(to: &json)
  }

  private func writeChannels(to json: inout JSONWriter) {
    json.object("push") {
      $0.member("include_date", service.pushIncludeDate ?? false)
      $0.member("apn_credential_sid", service.pushApnCredentialSid)
      $0.member("fcm_credential_sid", service.pushFcmCredentialSid)
    }
    json.object("totp") {
      $0.member("issuer", service.totpIssuer)
      $0.member("time_step", service.totpTimeStep)
      $0.member("code_length", service.totpCodeLength)
      $0.member("skew", service.totpSkew)
    }
    json.object("whatsapp") {
      $0.member("msg_service_sid", service.whatsappMsgServiceSid)
      $0.member("from", service.whatsappFrom)
    }
  }

  private func writePasskeys(to json: inout JSONWriter) {
    json.object("passkeys") { json in
      json.object("relying_party") {
        $0.member("id", service.relyingPartyId)
        $0.member("name", service.relyingPartyName)
        $0.member("origins", service.relyingPartyOrigins)
      }
      json.member("authenticator_attachment", service.authenticatorAttachment)
      json.member("discoverable_credentials", service.discoverableCredentials)
      json.member("user_verification", service.userVerification)
    }
  }

  /// The link named `verification_checks` ends in the singular.
  private func writeLinks(to json: inout JSONWriter) {
    let url = String(joining: base, "/v2/Services/", service.sid)
    json.member("url", url)
    json.object("links") {
      $0.member("verification_checks", joining: url, "/VerificationCheck")
      $0.member("verifications", joining: url, "/Verifications")
      $0.member("rate_limits", joining: url, "/RateLimits")
      $0.member("messaging_configurations", joining: url, "/MessagingConfigurations")
      $0.member("entities", joining: url, "/Entities")
      $0.member("webhooks", joining: url, "/Webhooks")
      $0.member("access_tokens", joining: url, "/AccessTokens")
    }
  }
}
