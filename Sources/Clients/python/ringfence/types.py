"""What the control API answers. Written by Tests/Tools/python_types.py from its OpenAPI document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class Sandbox(TypedDict):
    """A sandbox with the URLs and credentials of its clients."""

    name: str  # The name.
    entropySeed: int  # The random seed of ids, codes and keys.
    clock: Clock  # The clock.
    urls: SandboxUrls  # The sandbox's URLs.
    credentials: Dict[str, Dict[str, str]]  # The credentials of clients, by provider.
    ttl: NotRequired[str]  # How long after its last request the sandbox is removed.
    removedAt: NotRequired[str]  # When it is removed if no request arrives, on the server's clock.
    use: NotRequired[Dict[str, Dict[str, int]]]  # How much it uses of each of its limits: used, limit.
    token: NotRequired[str]  # Opens this sandbox's control API. Only in the answer to its creation.


class Clock(TypedDict):
    """The sandbox's clock."""

    mode: Literal["real", "frozen", "offset"]  # The mode: running, frozen, or running with an offset.
    now: str  # The time now.
    towards: NotRequired[str]  # The time that the clock is advancing to.


class SandboxUrls(TypedDict):
    """The sandbox's URLs."""

    base: str  # The server's URL, for clients that send X-Sandbox or credentials.
    prefixed: str  # The URL that selects this sandbox by its path.
    https: NotRequired[str]  # The server's HTTPS URL; absent if HTTPS is off.
    gateway: NotRequired[str]  # The URL of the cellular gateway's listener; absent if it is off.


# A message to a handset, or from one.
Message = TypedDict("Message", {
    "id": 'str',  # The id.
    # The channel.
    "channel": 'Literal["sms", "call", "whatsapp", "email", "rcs", "viber", "telegram", "zalo", "silent", "push"]',
    "to": 'str',  # The phone number or email address.
    "from": 'str',  # The sender: a number, a short code or a name.
    "provider": 'str',  # The provider; empty for a text to no provider.
    "verificationId": 'str',  # The provider's id of the verification.
    "text": 'str',  # The text, as the handset shows it or as the call reads it.
    "code": 'Optional[str]',  # The code in the text.
    "encoding": 'Literal["gsm7", "ucs2"]',  # The text's encoding.
    "segments": 'int',  # The number of charged parts.
    "submittedAt": 'str',  # When the provider submitted the message.
    "arrivedAt": 'Optional[str]',  # When the handset showed it; null if it does not.
    "holder": 'NotRequired[Holder]',  # Who has the message: whoever had the phone number when it arrived.
    # The state of the latest receipt.
    "state": 'Literal["ACCEPTD", "ENROUTE", "DELIVRD", "EXPIRED", "UNDELIV", "REJECTD", "READ", "REFUSED"]',
    "receipts": 'List[MessageReceipt]',  # The carrier's receipts so far.
    "call": 'NotRequired[Call]',  # The call, for the channel call.
    "push": 'NotRequired[MessagePush]',  # The push, for the channel push.
})


class Holder(TypedDict):
    """Who has a message."""

    subscriber: int  # The person: the place in the record's subscriberPeriods, counted from 1.
    iccid: NotRequired[str]  # The number of their SIM card, for the channels sms, call and rcs.
    present: bool  # True if they have the phone number now.


class MessageReceipt(TypedDict):
    """One of them."""

    state: Literal["ACCEPTD", "ENROUTE", "DELIVRD", "EXPIRED", "UNDELIV", "REJECTD", "READ", "REFUSED"]  # The state.
    atMs: int  # Milliseconds since the submission.
    err: NotRequired[int]  # The carrier's error number.


class Call(TypedDict):
    """A call that reads a text out."""

    # How the call ends.
    result: Literal["answered", "hungUp", "busy", "noAnswer", "declined", "voicemail", "unreachable"]
    language: str  # The language, by the provider's name for it.
    repeats: int  # How often the text is read out.
    key: Literal["notAsked", "pressed", "none"]  # Whether the call asked for a key, and whether one was pressed.
    keys: str  # The keys that were pressed.
    transcript: List[CallTranscript]  # The transcript so far.


class CallTranscript(TypedDict):
    """One of them."""

    atMs: int  # Milliseconds since the call's start.
    who: Literal["network", "caller", "person", "machine"]  # The speaker.
    text: str  # The words or the sound.


class MessagePush(TypedDict):
    """The notification of a message of the channel push."""

    to: str  # The push token.
    target: NotRequired[Dict[str, str]]  # The target that the sender named: kind and value.
    project: NotRequired[str]  # The sender's project at the gateway.
    via: NotRequired[str]  # The gateway's API.
    source: NotRequired[str]  # The origin of the push.
    attempts: NotRequired[int]  # The number of requests until the push was accepted.
    priority: NotRequired[str]  # The priority.
    ttlSeconds: NotRequired[int]  # The lifetime.
    visible: NotRequired[bool]  # True if the handset shows a notification.
    data: NotRequired[Dict[str, Any]]  # The data for the app.
    decoded: NotRequired[Dict[str, Any]]  # Data values that contain JSON, decoded.
    notification: NotRequired[Optional[Dict[str, Any]]]  # The title and text of the notification.
    apns: NotRequired[Optional[Dict[str, Any]]]  # The headers and payload for iOS.
    raw: NotRequired[Dict[str, Any]]  # The sender's message.
    device: Optional[str]  # The device's id.
    app: Optional[str]  # The app's name.
    platform: Optional[Literal["android", "ios"]]  # The handset's operating system.
    deliveredAt: Optional[str]  # When the push was delivered.
    readAt: Optional[str]  # When the person opened the notification.
    replacedBy: NotRequired[str]  # The id of the newer push that took its place.
    state: NotRequired[Literal["pending", "approved", "denied", "expired"]]  # The state of the challenge in the push.
    askedAt: NotRequired[str]  # When the challenge was created.
    expiresAt: NotRequired[str]  # When the challenge expires.
    answeredAt: NotRequired[Optional[str]]  # When the person answered the challenge.


class Verification(TypedDict):
    """A verification with its attempts, silent sessions and webhooks."""

    id: int  # The verification's ordinal in the sandbox.
    provider: str  # The provider.
    owner: str  # The provider's account or service.
    to: str  # The phone number or email address.
    state: Literal["pending", "approved", "denied", "canceled", "expired", "exhausted"]  # The state.
    code: str  # The latest code; empty if no code is valid.
    checks: int  # The number of checks so far.
    createdAt: str  # When it was started.
    updatedAt: str  # When it last changed.
    expiresAt: str  # When it expires.
    attempts: List[VerificationAttempt]  # The messages with its code, oldest first.
    steps: List[VerificationStep]  # The channels that are tried one after another.
    silentSessions: List[VerificationSilentSession]  # The silent sessions.
    webhooks: List[str]  # The ids of its webhooks.
    details: Any  # The provider's data, with secrets masked.


class VerificationAttempt(TypedDict):
    """One of them."""

    number: int  # The attempt, counted from 1.
    # The channel.
    channel: Literal["sms", "call", "whatsapp", "email", "rcs", "viber", "telegram", "zalo", "silent", "push"]
    sentAt: str  # When the code was sent.
    code: Optional[str]  # The attempt's own code, for providers with a code per attempt.
    isAnswered: bool  # True if this attempt's code approved the verification.


class VerificationStep(TypedDict):
    """One of them."""

    # The channel.
    channel: Literal["sms", "call", "whatsapp", "email", "rcs", "viber", "telegram", "zalo", "silent", "push"]
    # The state.
    state: Literal["waiting", "offered", "ongoing", "failed", "verified", "skipped", "rejected", "canceled"]
    begunAt: Optional[str]  # When the step started.
    endsAt: Optional[str]  # When the step times out.
    # Why the step failed.
    failure: Optional[Literal["timeOver", "undelivered", "unreachable", "mismatched", "denied", "passedOver"]]


class VerificationSilentSession(TypedDict):
    """One of them."""

    token: str  # The token in its URLs.
    attempt: int  # The attempt of the verification, counted from 1.
    createdAt: str  # When it was created.
    expiresAt: str  # When it expires.
    openedAt: Optional[str]  # When a handset opened its URL first.
    # The result that the provider got.
    verdict: Optional[Literal["matched", "mismatched", "notMobile", "noCoverage", "carrierError", "denied",
        "expired", "used", "unknown"]]


class Exchange(TypedDict):
    """A request with its answer, secrets masked."""

    id: str  # The id.
    at: str  # When it was answered.
    provider: Optional[str]  # The owner of the route; null for an unknown path.
    route: Optional[str]  # The route's name; null if no route matched.
    request: ExchangeRequest  # The request.
    response: ExchangeResponse  # The answer.
    why: Optional[str]  # For an error: the reason, in plain words.
    unread: List[str]  # Fields that the client sent and no handler read.
    delayMs: NotRequired[int]  # How long the answer was held back: by latency, a fault, or the route itself.
    nearest: NotRequired[List[str]]  # For an unknown path: the most similar routes.


class ExchangeRequest(TypedDict):
    """The request."""

    method: str  # The method.
    target: str  # Path and query.
    headers: List[str]  # The header lines.
    body: str  # The body.


class ExchangeResponse(TypedDict):
    """The answer."""

    status: int  # The status.
    headers: List[str]  # The header lines.
    body: str  # The body.


class Webhook(TypedDict):
    """A webhook with its attempts."""

    id: str  # The id.
    provider: str  # The provider.
    kind: str  # The kind, by the provider's name for it.
    url: str  # The URL, with secrets masked.
    state: Literal["pending", "delivered", "failed", "refused", "dropped", "lost"]  # The state.
    why: Optional[str]  # The why if it ended without delivery.
    fault: NotRequired[str]  # What is wrong with it on purpose: a webhook fault, or a forgery.
    createdAt: str  # When it was enqueued.
    nextAttemptAt: Optional[str]  # When the next attempt is due.
    underWay: bool  # True if an attempt is due or in progress.
    request: NotRequired[WebhookRequest]  # The request of every attempt; from the first one on.
    attempts: List[WebhookAttempt]  # The attempts, oldest first.


class WebhookRequest(TypedDict):
    """The request of every attempt; from the first one on."""

    headers: List[str]  # The header lines, with secrets masked.
    body: str  # The body, with secrets masked.


class WebhookAttempt(TypedDict):
    """One of them."""

    number: int  # The attempt, counted from 1.
    at: str  # When it was made.
    status: Optional[int]  # The status of the receiver's answer.
    error: Optional[str]  # Why there was no answer.
    answer: NotRequired[str]  # The beginning of the receiver's answer, with secrets masked.


class Failure(TypedDict):
    """A kind of failure."""

    id: str  # Its id.
    name: str  # Its name.
    effect: str  # What happens.
    request: NotRequired[FailureRequest]  # The request that produces it.
    repair: NotRequired[FailureRepair]  # The request that undoes it.
    manual: NotRequired[str]  # Steps for a person or an app, without a request.
    number: NotRequired[str]  # A number whose last digits have the same effect.


class FailureRequest(TypedDict):
    """The request that produces it."""

    method: str  # The method.
    path: str  # The path; {number} stands for a phone number.
    body: Dict[str, Any]  # The body.


class FailureRepair(TypedDict):
    """The request that undoes it."""

    method: str  # The method.
    path: str  # The path; {number} stands for a phone number.
    body: Dict[str, Any]  # The body.


class Challenge(TypedDict):
    """A request for a person's approval on a device."""

    provider: str  # The provider.
    reference: str  # The provider's id of the request that needs approval.
    number: str  # The phone number, or another id of the person at the provider.
    state: Literal["pending", "approved", "denied", "expired"]  # The state.
    askedAt: str  # When the challenge was created.
    expiresAt: str  # When it expires.
    answeredAt: Optional[str]  # When the person answered.


class WalkResult(TypedDict):
    """The hops of a silent chain, and how it ended."""

    ending: Literal["code", "text", "redirect", "failure"]  # How the chain ended.
    code: NotRequired[str]  # The code for the app's back end.
    url: NotRequired[str]  # The URL of the app to which the last hop redirects, with its fragment.
    text: NotRequired[str]  # The text of the last answer.
    why: NotRequired[str]  # Why the chain failed, or the error in the URL of the app.
    hops: List[WalkResultHop]  # The requests, in order.


class WalkResultHop(TypedDict):
    """One of them."""

    url: str  # The URL.
    status: int  # The status of the answer.


class Handset(TypedDict):
    """A handset with its apps."""

    id: str  # The handset's number, or a token if there is no number.
    number: str  # The same as id.
    operator: Optional[str]  # The network's name.
    country: Optional[str]  # ISO 3166-1 alpha-2.
    pushes: Optional[Literal["approve", "deny", "ignore", "manual"]]  # The person's automatic reaction to challenges.
    apps: List[Device]  # The registered apps.


class Device(TypedDict):
    """An app that is registered on a handset."""

    id: str  # The id.
    number: str  # The handset's number, or a token if there is no number.
    provider: str  # The provider that the app is registered with.
    app: str  # The app's name.
    platform: Literal["android", "ios"]  # The handset's operating system.
    pushToken: Optional[str]  # The token for pushes to the app; null if it gets no pushes.
    apnsToken: Optional[str]  # The app's token at Apple's gateway; null on Android.
    state: str  # The state of the tokens.
    online: bool  # False if the handset is offline.
    # The person's automatic answer; null: that of the number's record.
    behaviour: Optional[Literal["approve", "deny", "ignore", "manual"]]
    answerAfterMs: int  # How long the person needs for an automatic answer.
    # The state of the handset.
    condition: Literal["ready", "locked", "batteryEmpty", "biometricsFailed", "appDeleted"]
    clockOffsetSeconds: int  # How far the handset's clock is ahead of the sandbox's.
    publicKey: str  # SubjectPublicKeyInfo in base64.
    registeredAt: str  # The time of the registration.
