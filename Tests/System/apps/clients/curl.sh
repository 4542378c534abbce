#!/bin/sh
# Verifies a number at Twilio with curl.
set -eu
account=$TWILIO_ACCOUNT_SID:$TWILIO_AUTH_TOKEN
service=https://verify.twilio.com/v2/Services/$TWILIO_VERIFY_SERVICE_SID
number=+12025550100

curl -sSf -o /dev/null -u "$account" "$service/Verifications" --data-urlencode "To=$number" -d Channel=sms
code=$(curl -sSf "$RINGFENCE_URL/control/inbox/$number/latest/code")
curl -sSf -u "$account" "$service/VerificationCheck" --data-urlencode "To=$number" -d "Code=$code" |
  sed 's/.*"status": *"\([a-z]*\)".*/\1/'
