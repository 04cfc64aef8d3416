const { relative } = require('node:path');
const { writeFileSync, writeSync } = require('node:fs');
const { writeClosingLine } = require('./closingLine.js');
const { brokenLimits, timesOf } = require('./pace.js');

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/** The tests of a file that failed, by their full names, and the file itself where it could not be run or ended: Jest counts that as well. */
function failedTests({ testExecError, testResults }) {
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  if (!testExecError) return failed;
  return failed.length === 0 ? ['the file could not be run'] : [...failed, 'the file could not be ended'];
}

/**
 * Ends the run's output with where its time went and one plain line, `N passed, N failed`; a file that could not be run and
 * a limit of pace that is broken count as one failed each. With TEST_RUN_REPORT, the path of a file, it writes the counts and
 * the failed tests of each file there instead of the line: the program that asked for them prints it (test/command/secondRun.ts).
 */
class ClosingLines {
  constructor({ rootDir, watch, watchAll }) {
    this.rootDir = rootDir;
    this.watches = watch || watchAll;
    this.broken = [];
  }

  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults }) {
    const times = timesOf(testResults.filter(({ skipped, perfStats }) => !skipped && perfStats.runtime > 0));
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    // What fails says so itself, and takes as long as it likes.
    this.broken = failed === 0 ? brokenLimits(times).map((what) => what.replace(`${this.rootDir}/`, '')) : [];
    const reportPath = process.env.TEST_RUN_REPORT;
    if (reportPath !== undefined) {
      const failedFiles = testResults
        .map((file) => ({ path: relative(this.rootDir, file.testFilePath), passed: file.numPassingTests, failed: failedTests(file) }))
        .filter((file) => file.failed.length > 0);
      writeFileSync(reportPath, JSON.stringify({ passed: numPassedTests, failed: failed + this.broken.length, failedFiles }));
    }
    const write = () => {
      writeSync(process.stdout.fd, `${this.describe(times)}${this.broken.map((what) => `Too slow: ${what}\n`).join('')}`);
      if (reportPath === undefined) writeClosingLine({ passed: numPassedTests, failed: failed + this.broken.length });
    };
    // Jest prints its own summary after this, and the teardown may have something to say; while it watches, nothing is last.
    if (this.watches) write();
    else process.once('exit', write);
  }

  /** Jest fails the run with it. */
  getLastError() {
    return this.broken.length > 0 ? new Error(this.broken.join('\n')) : undefined;
  }

  describe({ files, insideMs, outsideMs, cpuOutsideMs }) {
    if (files.length < 2) return '';
    const slowest = files.slice(0, 10).map(({ path, totalMs }) => `  ${seconds(totalMs).padStart(7)}  ${relative(this.rootDir, path)}`);
    const share = Math.round((100 * outsideMs) / (insideMs + outsideMs));
    return `\nThe slowest files:\n${slowest.join('\n')}\n${share} % of the time lay outside tests, ${seconds(outsideMs / files.length)} a file, ${seconds(cpuOutsideMs / files.length)} of it CPU time of the test process.\n`;
  }
}

module.exports = ClosingLines;
