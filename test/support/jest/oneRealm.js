const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** CPU time of this process since then, in ms. */
function cpuMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

/**
 * The environment of tests whose modules are kept (`keptModules.js`): their global object is that of the process, so that a
 * module loaded for one test file serves the next.
 */
class OneRealm {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    /** CPU time of this process within tests so far, in ms. */
    this.cpuInsideMs = 0;
  }

  handleTestEvent({ name }) {
    if (name === 'test_start') this.testBegan = process.cpuUsage();
    if (name === 'test_done') this.cpuInsideMs += cpuMs(this.testBegan);
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}

module.exports = OneRealm;
module.exports.cpuMs = cpuMs;
