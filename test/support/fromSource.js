const { readFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');
const { transformSync } = require('@swc/core');

// For `node --require`: runs our sources without a build, each compiled when it is first required.
require.extensions['.ts'] = (module, filename) => {
  module._compile(transformSync(readFileSync(filename, 'utf8'), { filename }).code, filename);
};

// A program that a test has started ends with the test, however that ends. Its threads are no business of that.
if (isMainThread) {
  process.stdin.resume().once('end', () => process.exit());
  process.stdin.unref?.();
}
