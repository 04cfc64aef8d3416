const asyncHooks = require('node:async_hooks');
const { sep } = require('node:path');
const { default: circus } = require('jest-circus/runner');
const { cpuMs } = require('./oneRealm.js');

/**
 * Jest's runner over Node's own module registry: packages and tested sources are loaded once for a process, and only files
 * under `test/` are loaded again for each file. Jest's own registry loads everything for each file, 3 s of CPU.
 * For this the sources keep no state that matters in their modules, and no test replaces a module (`jest.mock`).
 */

const { AsyncLocalStorage } = asyncHooks;
const sourceMaps = new Map();

/** The run's own set-up, where Jest runs its files in the process that has made the stack. */
const ofTheRun = new Set([...Object.keys(require.cache), __filename]);

/** What a test file may leave behind in its process; what is answered puts it back. */
function rememberProcess() {
  const { console: log, process: { exit } } = globalThis;
  const { now } = Date;
  const { exitCode } = process;
  const environment = { ...process.env };
  const folder = process.cwd();
  return () => {
    globalThis.console = log;
    process.exit = exit;
    process.exitCode = exitCode;
    Date.now = now;
    if (process.cwd() !== folder) process.chdir(folder);
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
  };
}

/** The files of tests and of their support are as new for each test file: they hold what a file has for itself. */
function forgetTests(rootDir) {
  const tests = `${rootDir}${sep}test${sep}`;
  for (const path of Object.keys(require.cache)) {
    if (path.startsWith(tests) && !ofTheRun.has(path)) delete require.cache[path];
  }
  // Node lists each module that was loaded under the one that asked for it, which would keep every file of tests at hand.
  module.children.length = 0;
}

/** Compiles TypeScript as Jest does, with Jest's cache on disk; failures name the lines of the sources. */
function compileWith(runtime) {
  const own = runtime.transformCache.getSourceMaps();
  for (const [path, map] of sourceMaps) own.set(path, map);
  require.extensions['.ts'] = (module, path) => {
    const code = runtime.transformCache.transform(path);
    sourceMaps.set(path, own.get(path));
    module._compile(code, path);
  };
}

/**
 * jest-circus keeps the file's tests in its module, so each file has a new one. It is made for a realm that goes with the
 * file: what it leaves in this one (handlers under a global symbol, a storage that slows each promise) is taken away after.
 */
function circusOfOneFile() {
  const storages = [];
  return {
    load(path) {
      delete require.cache[path];
      asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
        constructor(...options) {
          super(...options);
          storages.push(this);
        }
      };
      try {
        return require(path);
      } finally {
        asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
      }
    },
    end() {
      for (const storage of storages) storage.disable();
      for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
        if (symbol === Symbol.for('EVENT_HANDLERS') || symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
      }
    },
  };
}

/** A test framework of Jest's: answers the results of one test file. */
module.exports = async function runFile(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  const began = process.cpuUsage();
  const putBack = rememberProcess();
  const framework = circusOfOneFile();
  forgetTests(config.rootDir);
  compileWith(runtime);
  runtime.requireInternalModule = (path) => framework.load(path);
  runtime.requireModule = (path) => require(path);
  globalThis.jest = {
    fn: (work) => environment.moduleMocker.fn(work),
    spyOn: (...spied) => environment.moduleMocker.spyOn(...spied),
    restoreAllMocks: () => environment.moduleMocker.restoreAllMocks(),
    useFakeTimers: (options) => environment.fakeTimersModern.useFakeTimers(options),
    useRealTimers: () => environment.fakeTimersModern.useRealTimers(),
    advanceTimersByTime: (milliseconds) => environment.fakeTimersModern.advanceTimersByTime(milliseconds),
  };
  try {
    const result = await circus(globalConfig, config, environment, runtime, testPath, sendMessageToJest);
    result.perfStats = { ...result.perfStats, cpuOutsideMs: cpuMs(began) - environment.cpuInsideMs };
    return result;
  } finally {
    framework.end();
    putBack();
  }
};
