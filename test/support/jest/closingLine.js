const { writeSync } = require('node:fs');

/** Writes the line that ends every run of tests and checks; `lines` stand before it. Synchronous: the process may be about to exit. */
function writeClosingLine({ passed, failed }, lines = []) {
  writeSync(process.stdout.fd, [...lines, `${passed} passed, ${failed} failed`].map((line) => `${line}\n`).join(''));
}

module.exports = { writeClosingLine };
