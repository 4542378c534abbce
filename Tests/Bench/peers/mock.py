"""A mock of Twilio's create as people write it in Python: asyncio, no storage but a dictionary.

    python3 mock.py PORT
"""

import base64
import datetime
import secrets
import sys

from aiohttp import web

AUTHORIZATION = "Basic " + base64.b64encode(b"AC00:secret").decode()
pending = {}


async def create(request):
    if request.headers.get("Authorization") != AUTHORIZATION:
        return web.json_response({"code": 20003, "message": "Authenticate", "status": 401}, status=401)
    form = await request.post()
    to, channel = form.get("To"), form.get("Channel")
    if not to or channel not in ("sms", "call", "email", "whatsapp"):
        return web.json_response({"code": 60200, "message": "Invalid parameter", "status": 400}, status=400)
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    sid, service = "VE" + secrets.token_hex(16), request.match_info["service"]
    verification = {
        "sid": sid, "service_sid": service, "account_sid": "AC00", "to": to, "channel": channel, "status": "pending",
        "valid": False, "date_created": now, "date_updated": now, "lookup": {}, "amount": None, "payee": None,
        "send_code_attempts": [{"time": now, "channel": channel, "attempt_sid": "VL" + secrets.token_hex(16)}],
        "sna": None, "url": f"{request.url}/{sid}",
    }
    pending[to] = {**verification, "code": f"{secrets.randbelow(1_000_000):06}"}
    return web.json_response(verification, status=201)


async def reset(request):
    pending.clear()
    return web.Response(status=204)


app = web.Application()
app.router.add_post("/v2/Services/{service}/Verifications", create)
app.router.add_post("/reset", reset)
web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), access_log=None, print=None)
