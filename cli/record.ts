import type { Terminal } from './context';
import { formatRecord } from './tables';

/** Prints one record of a response, a line per field; the text for people omits these fields. */
export function printRecord(context: Terminal, record: unknown, omittedFields: readonly string[] = []): void {
  context.print(record, (shown) => formatRecord(shown, omittedFields));
}
