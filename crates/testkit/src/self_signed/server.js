// Serves one page with a certificate that nobody trusts, on a free port of
// loopback, which it prints. Ends with its standard input.
const fs = require("node:fs");
const https = require("node:https");
const path = require("node:path");

const read = (name) => fs.readFileSync(path.join(__dirname, name));
const identity = { key: read("key.pem"), cert: read("certificate.pem") };
const server = https.createServer(identity, (_, response) => response.end("<h1>Tea</h1>"));
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.resume().on("end", () => process.exit());
