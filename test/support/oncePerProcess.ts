/** Survives the end of a test file, where the modules of tests do not. */
const processState = process as unknown as { madeForTests?: Map<string, unknown> };

/** What `make` answers, made once for all test files that run in this process; only for what no test changes. */
export function oncePerProcess<Made>(name: string, make: () => Made): Made {
  processState.madeForTests ??= new Map();
  if (!processState.madeForTests.has(name)) processState.madeForTests.set(name, make());
  return processState.madeForTests.get(name) as Made;
}
