// Leads connections to the providers' hosts to the sandbox. `http` and `https` are its ports.
const net = require("node:net");
const { connect } = net.Socket.prototype;

function findSandbox(host, options, found) {
  if (options.all) found(null, [{ address: "127.0.0.1", family: 4 }]);
  else found(null, "127.0.0.1", 4);
}

net.Socket.prototype.connect = function (...words) {
  const [options, done] = Array.isArray(words[0]) ? words[0] : net._normalizeArgs(words);
  if (!hosts.test(options.host)) return connect.apply(this, words);
  const isSecure = this.encrypted || Number(options.port) === 443;
  const led = { port: isSecure ? https : http, lookup: findSandbox, family: 0 };
  return connect.call(this, Object.assign(Object.create(options), led), done);
};
