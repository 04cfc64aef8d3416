/** @type {import('jest').Config} */
module.exports = {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  testEnvironment: 'node',
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.local/'],
  watchPathIgnorePatterns: ['<rootDir>/.local/', '<rootDir>/dist/'],
  maxWorkers: 2,
  testTimeout: 30_000,
  globalSetup: '<rootDir>/test/support/stack/globalSetup.ts',
  globalTeardown: '<rootDir>/test/support/stack/globalTeardown.ts',
  reporters: ['default', '<rootDir>/test/support/stack/closingLine.js'],
};
