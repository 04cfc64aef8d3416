const { writeSync } = require('node:fs');

/** Ends the run's output with one plain line, `N passed, N failed`; a file that could not be run counts as one failed. */
class ClosingLine {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    const line = `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed\n`;
    // Jest prints its own summary after this, and the teardown may have something to say.
    process.once('exit', () => writeSync(process.stdout.fd, line));
  }
}

module.exports = ClosingLine;
