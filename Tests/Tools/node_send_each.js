// Sends messages to FCM as the official client for Node does in sendEach: one HTTP/2 session, one stream per message, the
// same headers in the same order, and its retries. Written from facts of firebase-admin 14.3.0: `src/utils/api-request.ts`
// and `src/messaging`. Its npm package cannot be installed in this repository.
//
// Arguments: project, access token, messages as JSON. Prints what sendEach returns, as JSON.

const http2 = require('node:http2');

const [project, accessToken, list] = process.argv.slice(2);
const RETRIES = 4;

const session = http2.connect('https://fcm.googleapis.com', { peerMaxConcurrentStreams: 100, ALPNProtocols: ['h2'] });
session.on('goaway', (code) => { throw new Error(`GOAWAY ${code}`); });
session.on('error', (error) => { throw error; });

function request(message) {
  const body = Buffer.from(JSON.stringify({ message }), 'utf-8');
  const stream = session.request({
    ':method': 'POST',
    // With a colon: the client passes on the protocol of a parsed URL.
    ':scheme': 'https:',
    ':path': `/v1/projects/${project}/messages:send`,
    'X-Firebase-Client': 'fire-admin-node/14.3.0',
    'access_token_auth': 'true',
    'Authorization': `Bearer ${accessToken}`,
    'content-type': 'application/json;charset=utf-8',
    'Content-Length': body.length.toString(),
  });
  stream.setTimeout(15000, () => stream.destroy());
  return new Promise((resolve, reject) => {
    stream.on('error', reject);
    stream.on('response', (headers) => {
      const pieces = [];
      stream.on('data', (piece) => pieces.push(piece));
      stream.on('end', () => resolve({ status: headers[':status'], headers, text: Buffer.concat(pieces).toString() }));
    });
    stream.end(body);
  });
}

// The code of an error: the detail of FCM first, then the status.
const CODES = {
  UNREGISTERED: 'messaging/registration-token-not-registered',
  INVALID_ARGUMENT: 'messaging/invalid-argument',
  SENDER_ID_MISMATCH: 'messaging/mismatched-credential',
  QUOTA_EXCEEDED: 'messaging/message-rate-exceeded',
  UNAVAILABLE: 'messaging/server-unavailable',
  INTERNAL: 'messaging/internal-error',
  NOT_FOUND: 'messaging/registration-token-not-registered',
};

function codeOf(text) {
  const { error } = JSON.parse(text);
  const detail = (error.details || []).find((one) => one['@type'].endsWith('google.firebase.fcm.v1.FcmError'));
  return CODES[(detail && detail.errorCode) || error.status] || 'messaging/unknown-error';
}

async function send(message, attempt = 0) {
  const answer = await request(message);
  if (answer.status === 503 && attempt < RETRIES) {
    const seconds = Number(answer.headers['retry-after'] || 0) || 0.5 * 2 ** attempt;
    await new Promise((resolve) => setTimeout(resolve, attempt === 0 ? 0 : seconds * 1000));
    return send(message, attempt + 1);
  }
  if (answer.status === 200) return { success: true, messageId: JSON.parse(answer.text).name };
  return { success: false, code: codeOf(answer.text) };
}

Promise.all(JSON.parse(list).map((message) => send(message))).then((responses) => {
  session.close();
  const successCount = responses.filter((one) => one.success).length;
  console.log(JSON.stringify({ responses, successCount, failureCount: responses.length - successCount }));
});
