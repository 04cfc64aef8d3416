/** Survives the end of a test file, where the modules of tests do not. */
const processState = process as unknown as { madeForTests?: Map<string, unknown> };

/** The result of `make`, created once for all test files of this process; only for values that no test changes. */
export function oncePerProcess<Made>(name: string, make: () => Made): Made {
  processState.madeForTests ??= new Map();
  if (!processState.madeForTests.has(name)) processState.madeForTests.set(name, make());
  return processState.madeForTests.get(name) as Made;
}
