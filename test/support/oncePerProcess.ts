/** Survives the end of a test file, where the modules of tests do not. */
const kept = process as unknown as { madeForTests?: Map<string, unknown> };

/** What `make` answers, made once for all test files that run in this process; only for what no test changes. */
export function perProcess<Made>(name: string, make: () => Made): Made {
  kept.madeForTests ??= new Map();
  if (!kept.madeForTests.has(name)) kept.madeForTests.set(name, make());
  return kept.madeForTests.get(name) as Made;
}
