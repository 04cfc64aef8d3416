/** What every project runs with: Jest lets them inherit nothing. */
const project = {
  transform: { '^.+\\.ts$': '@swc/jest' },
  // `npm run test:plain` leaves them out: Jest then gives each file modules of its own.
  ...(process.env.JEST_PLAIN_REGISTRY === undefined
    ? { testRunner: '<rootDir>/test/support/jest/keptModules.js', testEnvironment: '<rootDir>/test/support/jest/oneRealm.js' }
    : { testEnvironment: 'node' }),
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.local/'],
  watchPathIgnorePatterns: ['<rootDir>/.local/', '<rootDir>/dist/'],
};

/** What kills processes and stores, plays outages and days of workflows, or runs programs by the hundred: `npm run test:faults`. */
const faults = [
  'faults/**/*', 'conformance/schoolDay', 'api/uploads/memory', 'workflows/endpointBacklog', 'workflows/guardianInvitation', 'worker/circuit',
  'docs/scripts', 'docs/rosterSync', 'docs/receivers', 'docs/publicLibraries', 'cli/refusals', 'clients/compilers', 'clients/gitInstall',
].map((path) => `<rootDir>/test/${path}.test.ts`);
/** What opens page after page in a real browser: `npm run test:browser`. */
const browser = ['console/browser', 'console/accessibility', 'console/whyNotDelivered', 'console/identityProvider', 'api/http/openapi/reference'].map((path) => `<rootDir>/test/${path}.test.ts`);
const besides = [...faults, ...browser].map((path) => `!${path.replace('<rootDir>', '**')}`);

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    { ...project, displayName: 'rules', testMatch: ['<rootDir>/test/**/*.test.ts', ...besides] },
    { ...project, displayName: 'faults', testMatch: faults },
    { ...project, displayName: 'browser', testMatch: browser },
  ],
  // Tests wait more than they compute: for stores, timers and programs that start.
  maxWorkers: 3,
  randomize: process.env.JEST_PLAIN_REGISTRY !== undefined,
  // What a file leaves behind adds up: a process that has grown is replaced between two files, long before its heap is full.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/test/support/jest/longestFirst.js',
  // For machines that are slow and busy: what is as it should be needs a fraction of it.
  testTimeout: 600_000,
  globalSetup: '<rootDir>/test/support/stack/globalSetup.ts',
  globalTeardown: '<rootDir>/test/support/stack/globalTeardown.ts',
  reporters: ['default', '<rootDir>/test/support/jest/closingLines.js'],
};
