/** Writes the line that ends every run of tests and checks; `lines` stand before it. */
export function writeClosingLine(counts: { passed: number; failed: number }, lines?: readonly string[]): void;
