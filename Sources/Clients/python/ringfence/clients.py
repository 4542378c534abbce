"""The vendors' own clients, ready to use. Each needs its SDK, which is imported only here."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Dict, Optional, Type
from urllib.parse import urlsplit

from .errors import RingfenceError

if TYPE_CHECKING:
    from prelude_python_sdk import AsyncPrelude, Prelude  # type: ignore[import-not-found,unused-ignore]
    from network_as_code import NetworkAsCodeApi  # type: ignore[import-not-found,import-untyped,unused-ignore]
    from twilio.rest import Client as Twilio  # type: ignore[import-not-found,import-untyped,unused-ignore]
    from vonage import Vonage  # type: ignore[import-not-found,import-untyped,unused-ignore]


class Clients:
    """Makes clients of a sandbox with its credentials and URL. They ignore the environment's proxies."""

    url: str
    credentials: Dict[str, Dict[str, str]]

    def twilio(self) -> Twilio:
        """A client of the package `twilio`. All its products go to this sandbox."""
        http_client = _to(self.url, _sdk("twilio", "twilio.http.http_client").TwilioHttpClient)
        http_client.session.trust_env = False
        return self._twilio(http_client)

    def twilio_async(self) -> Twilio:
        """The same for `await …create_async(…)`. Make it inside the event loop; `await client.http_client.close()`
        ends it."""
        return self._twilio(_to(self.url, _sdk("twilio>=8", "twilio.http.async_http_client").AsyncTwilioHttpClient))

    def prelude(self) -> Prelude:
        """A client of the package `prelude-python-sdk`."""
        sdk = _sdk("prelude-python-sdk", "prelude_python_sdk")
        client: Prelude = sdk.Prelude(
            base_url=self.url, api_token=self.credentials["prelude"]["apiToken"],
            http_client=sdk.DefaultHttpxClient(trust_env=False))
        return client

    def prelude_async(self) -> AsyncPrelude:
        """The same for `await`; `async with` ends it."""
        sdk = _sdk("prelude-python-sdk", "prelude_python_sdk")
        client: AsyncPrelude = sdk.AsyncPrelude(
            base_url=self.url, api_token=self.credentials["prelude"]["apiToken"],
            http_client=sdk.DefaultAsyncHttpxClient(trust_env=False))
        return client

    def telesign(self, kind: Optional[Type[Any]] = None) -> Any:
        """A client of the package `telesignenterprise`, `OmniVerify` by default, or of another class of it or of
        `telesign`, such as `telesign.messaging.MessagingClient`."""
        kind = kind or _sdk("telesignenterprise>=3", "telesignenterprise.omniverify").OmniVerify
        own = self.credentials["telesign"]
        client = kind(own["customerId"], own["apiKey"], rest_endpoint=self.url)
        client.session.trust_env = False
        return client

    def vonage(self) -> Vonage:
        """A client of the package `vonage`, which signs as the sandbox's application."""
        sdk, own = _sdk("vonage>=4", "vonage", "vonage.vonage"), self.credentials["vonage"]
        scheme, _, address = self.url.partition("://")
        client: Vonage = sdk.Vonage(
            sdk.Auth(api_key=own["apiKey"], api_secret=own["apiSecret"], application_id=own["applicationId"],
                     private_key=own["privateKey"]),
            sdk.HttpClientOptions(api_host=f"{address}/vonage"))
        session = client.http_client._session
        session.trust_env = False
        if scheme == "http":  # The client has no option for it.
            session.mount("https://", _without_tls(_sdk("vonage>=4", "requests.adapters").HTTPAdapter))
        return client

    def camara(self) -> NetworkAsCodeApi:
        """A client of the package `network-as-code`. It signs in with the secret of the sandbox's client. For other
        clients, `f"{sandbox.url}/camara"` is the base of the authorization server and of the APIs."""
        client: NetworkAsCodeApi = _sdk(
            "network-as-code>=10", "network_as_code", "network_as_code.consent_info").NetworkAsCodeApi(
            base_url=f"{self.url}/camara", api_key=self.credentials["camara"]["clientSecret"],
            httpx_client=_sdk("network-as-code>=10", "httpx").Client(trust_env=False, follow_redirects=True, timeout=60))
        return client

    def sinch(self) -> Any:
        """A client of the package `sinch` 1; 2 has no Verification. It signs with the real time: give a sandbox with
        another clock the setting `timestampTolerance` 0."""
        own = self.credentials["sinch"]
        client = _sdk("sinch>=1,<2", "sinch", "sinch.domains.verification").SinchClient(
            application_key=own["applicationKey"], application_secret=own["applicationSecret"])
        client.configuration.verification_origin = self.url.partition("://")[2]
        client.configuration.disable_https = self.url.startswith("http://")
        client.configuration.transport.http_session.trust_env = False
        return client

    def _twilio(self, http_client: Any) -> Twilio:
        own = self.credentials["twilio"]
        client: Twilio = _sdk("twilio", "twilio.rest").Client(
            own["accountSid"], own["authToken"], http_client=http_client)
        return client


def _to(url: str, kind: Type[Any]) -> Any:
    """An HTTP client of Twilio's SDK that sends every request to this URL, whatever the product's host is."""

    class Http(kind):  # type: ignore[misc]
        def request(self, method: str, target: str, *rest: Any, **named: Any) -> Any:
            there = urlsplit(target)
            query = f"?{there.query}" if there.query else ""
            return super().request(method, f"{url}{there.path}{query}", *rest, **named)

    return Http()


def _without_tls(kind: Type[Any]) -> Any:
    """An adapter of `requests` that sends requests for `https://` to the same address over HTTP."""

    class Adapter(kind):  # type: ignore[misc]
        def send(self, request: Any, **named: Any) -> Any:
            request.url = request.url.replace("https://", "http://", 1)
            return super().send(request, **named)

    return Adapter()


def _sdk(requirement: str, module: str, *parts: str) -> Any:
    """A module of a package of PyPI. `parts`: modules that only the versions of the requirement have."""
    try:
        for part in parts:
            importlib.import_module(part)
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise RingfenceError(f"this needs {requirement}: pip install \"{requirement}\" ({error})") from None
