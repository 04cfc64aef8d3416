const { relative } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** A long file that starts last keeps one worker busy while the others idle: these start first, in this order. */
const longest = require('./longest.json');
/** What compares speeds starts last, when the other workers have next to nothing left to do. */
const last = ['test/faults/largeExport.test.ts'];

/** Begins with the files that are known to be long, and ends with those that compare speeds; a fresh clone has no times of an earlier run to go by. */
class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path, context }) => {
      const name = relative(context.config.rootDir, path);
      const found = longest.indexOf(name);
      return last.includes(name) ? longest.length + 1 : found === -1 ? longest.length : found;
    };
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
}

module.exports = LongestFirst;
