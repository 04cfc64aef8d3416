/** Runs statements outside the service's pool, and returns rows. */
export interface Runner {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** Runs a statement and returns its first row; undefined if there is none. */
export async function firstRow(runner: Runner, text: string, values: unknown[] = []): Promise<object | undefined> {
  const rows: unknown = await runner.query(text, values);
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  return typeof row === 'object' && row !== null ? row : undefined;
}
