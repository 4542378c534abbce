"""What an app sees of each kind of failure, with each provider's official client.

A provider's class has one method for each flow (see `GET /control/failures`). It goes through the flow once
and returns what it sees: the place, such as an answer or a webhook, and the value there.
"""

from failure_flows import camara, fcm_apns, hyphen, prelude, prove, sinch, telesign, twilio, vonage

PROVIDERS = {
    each.name: each
    for each in (twilio.Twilio, telesign.Telesign, prelude.Prelude, vonage.Vonage, prove.Prove, sinch.Sinch, hyphen.Hyphen,
                 camara.CAMARA, fcm_apns.FCM, fcm_apns.APNs)}


# Everything works.
NONE = {"id": "none"}


def missing(provider, flow):
    """Why a provider cannot meet the failures of a flow; None if it can."""
    return PROVIDERS[provider].not_applicable.get(flow)
