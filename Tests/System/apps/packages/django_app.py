"""A Django project in one process, with its database in memory. The program has its `urlpatterns`."""

import os

import django
from django.conf import settings
from django.core.management import call_command
from django.test import Client

ACCOUNT, TOKEN = os.environ["TWILIO_ACCOUNT_SID"], os.environ["TWILIO_AUTH_TOKEN"]
SENDER = "+12025550199"


def client(*apps, middleware=(), **more):
    """A browser of the project with these apps."""
    own = [f"django.contrib.{name}" for name in ("auth", "contenttypes", "sessions")]
    settings.configure(
        SECRET_KEY="of this test only, and long enough", ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__", USE_TZ=True,
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


def answered(answer, status=200):
    """The answer, which must have this status."""
    assert answer.status_code == status, answer.content
    return answer
