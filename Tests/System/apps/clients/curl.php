<?php
// Verifies a number at Twilio with PHP's curl.
const NUMBER = '+12025550100';

function ask(string $url, array $options = []): string
{
    $handle = curl_init($url);
    curl_setopt_array($handle, $options + [CURLOPT_RETURNTRANSFER => true]);
    $answer = curl_exec($handle);
    if ($answer === false) {
        throw new RuntimeException(curl_error($handle));
    }
    return $answer;
}

function post(string $path, array $form): array
{
    return json_decode(ask('https://verify.twilio.com/v2/Services/' . getenv('TWILIO_VERIFY_SERVICE_SID') . $path, [
        CURLOPT_USERPWD => getenv('TWILIO_ACCOUNT_SID') . ':' . getenv('TWILIO_AUTH_TOKEN'),
        CURLOPT_POSTFIELDS => http_build_query($form),
    ]), true);
}

post('/Verifications', ['To' => NUMBER, 'Channel' => 'sms']);
$code = ask(getenv('RINGFENCE_URL') . '/control/inbox/' . NUMBER . '/latest/code');
echo post('/VerificationCheck', ['To' => NUMBER, 'Code' => $code])['status'], "\n";
