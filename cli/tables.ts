import { fieldOf } from './fields';
import { onScreen, widthOf } from './terminalText';

const gap = '  ';

const scalar = (value: unknown): value is string | number | boolean | null | undefined => typeof value !== 'object' || value === null;

/** A value as people read it; whoever needs every bit takes the JSON. */
function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.every(scalar) ? onScreen(value.join(', ')) : `${value.length} of them`;
  return onScreen(scalar(value) ? String(value) : JSON.stringify(value));
}

const widest = (texts: readonly string[]): number => texts.reduce((width, text) => Math.max(width, widthOf(text)), 0);

const padded = (text: string, width: number): string => text + ' '.repeat(width - widthOf(text));
const shifted = (text: string, width: number): string => ' '.repeat(width - widthOf(text)) + text;

/** Rows under the names of their fields, aligned; numbers stand to the right. */
export function table(columns: readonly string[], rows: readonly unknown[]): string {
  const drawn = columns.map((name) => {
    const values = rows.map((row) => fieldOf(row, name));
    const cells = [onScreen(name), ...values.map(cell)];
    const width = widest(cells);
    const numbers = values.some((value) => typeof value === 'number') && values.every((value) => value === null || typeof value === 'number');
    return cells.map((text) => (numbers ? shifted : padded)(text, width));
  });
  return Array.from({ length: rows.length + 1 }, (_line, index) => `${drawn.map((cells) => cells[index]).join(gap).trimEnd()}\n`).join('');
}

/** The fields of one thing, those of its parts under dotted names; lists of things are left to tables of their own. */
function fieldsOf(value: object, prefix = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([name, field]: [string, unknown]): [string, unknown][] => {
    if (scalar(field)) return [[prefix + name, field]];
    if (Array.isArray(field)) return field.every(scalar) ? [[prefix + name, field]] : [];
    return fieldsOf(field, `${prefix}${name}.`);
  });
}

/** One thing, a line a field; `without` names fields that are left out. */
export function card(value: unknown, without: readonly string[] = []): string {
  if (typeof value !== 'object' || value === null) return `${cell(value)}\n`;
  const shown = Object.fromEntries(Object.entries(value).filter(([name]) => !without.includes(name)));
  const fields = fieldsOf(shown).map(([name, field]) => [onScreen(name), field] as const);
  const width = widest(fields.map(([name]) => name));
  return fields.map(([name, field]) => `${padded(name, width)}${gap}${cell(field)}\n`).join('');
}
