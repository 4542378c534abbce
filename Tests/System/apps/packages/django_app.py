"""A Django project in one process, with its database in memory. The program, or the module `urls`, has its
`urlpatterns`."""

import contextlib
import os
import threading
import wsgiref.simple_server

import django
from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.test import Client

ACCOUNT, TOKEN = os.environ["TWILIO_ACCOUNT_SID"], os.environ["TWILIO_AUTH_TOKEN"]
SENDER = "+12025550199"


def client(*apps, urls="__main__", middleware=(), **more):
    """A browser of the project with these apps."""
    own = [f"django.contrib.{name}" for name in ("auth", "contenttypes", "sessions")]
    settings.configure(
        SECRET_KEY="of this test only, and long enough", ALLOWED_HOSTS=["*"], ROOT_URLCONF=urls, USE_TZ=True,
        INSTALLED_APPS=[*own, *apps], DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware", *middleware],
        **more)
    django.setup()
    call_command("migrate", verbosity=0, run_syncdb=True)
    return Client()


class Quiet(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served():
    """Host and port at which providers reach the project."""
    with wsgiref.simple_server.make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def answered(answer, status=200):
    """The answer, which must have this status."""
    assert answer.status_code == status, answer.content
    return answer
