import { getField } from './fields';
import { escapeControlCharacters, displayWidth } from './terminalText';

const gap = '  ';

const isScalar = (value: unknown): value is string | number | boolean | null | undefined => typeof value !== 'object' || value === null;

/** Returns a value as people read it; the JSON has every detail. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.every(isScalar) ? escapeControlCharacters(value.join(value.some((item) => String(item).endsWith('.')) ? ' ' : ', ')) : `${value.length} of them`;
  return escapeControlCharacters(isScalar(value) ? String(value) : JSON.stringify(value));
}

const maxWidth = (texts: readonly string[]): number => texts.reduce((width, text) => Math.max(width, displayWidth(text)), 0);

const padRight = (text: string, width: number): string => text + ' '.repeat(width - displayWidth(text));
const padLeft = (text: string, width: number): string => ' '.repeat(width - displayWidth(text)) + text;

/** Returns rows under the names of their fields; numbers are aligned to the right. */
export function formatTable(columns: readonly string[], rows: readonly unknown[]): string {
  const renderedColumns = columns.map((name) => {
    const values = rows.map((row) => getField(row, name));
    const cells = [escapeControlCharacters(name), ...values.map(formatCell)];
    const width = maxWidth(cells);
    const numbers = values.some((value) => typeof value === 'number') && values.every((value) => value === null || typeof value === 'number');
    return cells.map((text) => (numbers ? padLeft : padRight)(text, width));
  });
  return Array.from({ length: rows.length + 1 }, (_line, index) => `${renderedColumns.map((cells) => cells[index]).join(gap).trimEnd()}\n`).join('');
}

/** Returns a value for a line of so many characters: of a list that is longer its first items, and how many more there are. */
function formatWithin(width: number, value: unknown): string {
  const text = formatCell(value);
  if (!Array.isArray(value) || displayWidth(text) <= width) return text;
  const shortened = value.map((_item, left) => [formatCell(value.slice(0, value.length - left)), `+${left} more`].join(', ')).slice(1);
  return shortened.find((one) => displayWidth(one) <= width) ?? `${value.length} of them`;
}

/**
 * Returns the same for a terminal: where the table is wider, as many of the columns `below` as necessary, in their order, are
 * lines below each row, with their names. `width` is undefined where there is no terminal.
 */
export function formatTableFor(width: number | undefined, columns: readonly string[], rows: readonly unknown[], below: readonly string[]): string {
  if (width === undefined) return formatTable(columns, rows);
  const withLines = (count: number): string => {
    const moved = below.slice(0, count);
    const table = formatTable(columns.filter((name) => !moved.includes(name)), rows);
    if (count < below.length && maxWidth(table.split('\n')) > width) return withLines(count + 1);
    const [head = '', ...lines] = table.trimEnd().split('\n');
    const names = maxWidth(moved);
    const linesOf = (row: unknown): string[] => moved.map((name) => `${gap}${padRight(name, names)}${gap}${formatWithin(width - names - 2 * gap.length, getField(row, name))}`);
    return [head, ...lines.flatMap((line, index) => [line, ...linesOf(rows[index])])].map((line) => `${line}\n`).join('');
  };
  return withLines(0);
}

/** Returns the fields of an object, those of nested objects under dotted names; lists of objects are left out. */
function flattenFields(value: object, prefix = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([name, field]: [string, unknown]): [string, unknown][] => {
    if (isScalar(field)) return [[prefix + name, field]];
    if (Array.isArray(field)) return field.every(isScalar) ? [[prefix + name, field]] : [];
    return flattenFields(field, `${prefix}${name}.`);
  });
}

/** Returns an object as lines, one per field, without `omittedFields`. */
export function formatRecord(value: unknown, omittedFields: readonly string[] = []): string {
  if (typeof value !== 'object' || value === null) return `${formatCell(value)}\n`;
  const visibleFields = Object.fromEntries(Object.entries(value).filter(([name]) => !omittedFields.includes(name)));
  const fields = flattenFields(visibleFields).map(([name, field]) => [escapeControlCharacters(name), field] as const);
  const width = maxWidth(fields.map(([name]) => name));
  return fields.map(([name, field]) => `${padRight(name, width)}${gap}${formatCell(field)}\n`).join('');
}
