/** A line of what the demo does. */
export const log = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Says what holds; raises, and so ends the demo, when it does not. */
export function expectThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Not as expected: ${what}`);
  log(`  ✓ ${what}`);
}
