const { isMainThread } = require('node:worker_threads');
require('./compileSource.js');

// A program that a test has started ends with the test, however that ends. Its threads are no business of that.
if (isMainThread) {
  process.stdin.resume().once('end', () => process.exit());
  process.stdin.unref?.();
}
