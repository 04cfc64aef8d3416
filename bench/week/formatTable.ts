/** Formats rows with the same fields as a table, numbers right-aligned. */
export function formatTable(rows: readonly object[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => String(Reflect.get(row, name) ?? '')));
  const widths = names.map((name, column) => Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (texts: readonly string[]): string =>
    texts.map((text, column) => (column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0))).join('  ');
  return [names, ...cells].map(line).join('\n');
}
