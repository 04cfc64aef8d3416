/** What every project runs with: Jest lets them inherit nothing. */
const project = {
  transform: { '^.+\\.ts$': '@swc/jest' },
  testEnvironment: 'node',
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.local/'],
  watchPathIgnorePatterns: ['<rootDir>/.local/', '<rootDir>/dist/'],
};

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    { ...project, displayName: 'rules', testMatch: ['<rootDir>/test/**/*.test.ts'], testPathIgnorePatterns: ['<rootDir>/test/faults/'] },
    { ...project, displayName: 'faults', testMatch: ['<rootDir>/test/faults/*.test.ts'] },
  ],
  maxWorkers: 2,
  // Each file leaves some ten megabytes of its module registry behind: a process that has grown is
  // replaced between two files, long before its heap is full.
  workerIdleMemoryLimit: '1GB',
  // For machines that are slow and busy: what is as it should be needs a fraction of it.
  testTimeout: 240_000,
  globalSetup: '<rootDir>/test/support/stack/globalSetup.ts',
  globalTeardown: '<rootDir>/test/support/stack/globalTeardown.ts',
  reporters: ['default', '<rootDir>/test/support/stack/closingLine.js'],
};
