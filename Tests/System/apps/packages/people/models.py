"""Users with a phone number, as drfpasswordless needs them."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    mobile = models.CharField(max_length=17, unique=True)
