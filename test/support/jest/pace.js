/**
 * The pace that `npm test` is to keep, in what a busy machine hardly moves: CPU time, and a ratio within the run itself besides
 * seconds of the clock.
 */
const limits = {
  /** Of runs of the set `rules` alone: what kills stores and plays for minutes in the same run makes any machine a busy one. */
  set: 'rules',
  fileMs: 20_000,
  /** A file's time over the median file's, which is some 0.8 s on an idle machine. */
  fileToMedian: 40,
  /** CPU time of the test process outside tests, the mean of the files: loading, hooks, the environment. */
  cpuOutsideMs: 1_000,
  /** A run of a few files has no median to speak of, and loads everything for them. */
  fromFiles: 100,
};

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Where the time of a run went, from Jest's results: `files` the slowest first, in milliseconds, and the sums over those of the set. */
function timesOf(testResults) {
  const files = testResults
    .map(({ testFilePath, displayName, perfStats, testResults: tests }) => ({
      path: testFilePath,
      set: displayName?.name,
      totalMs: perfStats.runtime,
      insideMs: sum(tests.map(({ duration }) => duration ?? 0)),
      cpuOutsideMs: perfStats.cpuOutsideMs ?? 0,
    }))
    .sort((one, other) => other.totalMs - one.totalMs);
  const insideMs = sum(files.map((file) => file.insideMs));
  return { files, insideMs, outsideMs: sum(files.map(({ totalMs }) => totalMs)) - insideMs, cpuOutsideMs: sum(files.map((file) => file.cpuOutsideMs)) };
}

/** Returns what is too slow, as sentences; empty if the limits are kept, or do not apply to the run. */
function brokenLimits({ files }) {
  if (files.length < limits.fromFiles || files.some(({ set }) => set !== limits.set)) return [];
  const medianMs = files[Math.floor(files.length / 2)].totalMs;
  const broken = files
    .filter(({ totalMs }) => totalMs > limits.fileMs && totalMs > limits.fileToMedian * medianMs)
    .map(({ path, totalMs }) => `${path} took ${(totalMs / 1000).toFixed(1)} s, ${Math.round(totalMs / medianMs)} times the median file`);
  const cpuOutsideMs = sum(files.map((file) => file.cpuOutsideMs)) / files.length;
  if (cpuOutsideMs > limits.cpuOutsideMs) broken.push(`${(cpuOutsideMs / 1_000).toFixed(1)} s of CPU a file lay outside tests`);
  return broken;
}

module.exports = { brokenLimits, limits, timesOf };
