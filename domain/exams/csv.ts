import type { ExamScoreRow } from '../../db/repositories/exams/scores';

type Cell = string | number | boolean | Date | null;

/** The columns of an export in the contract's order (section Submission), each with the cell of a row. */
const columns: readonly (readonly [name: string, cellOf: (row: ExamScoreRow) => Cell])[] = [
  ['email', ({ email }) => email],
  ['student_id', ({ student_id }) => student_id],
  ['status', ({ status }) => status],
  ['score', ({ score }) => score],
  ['max_score', ({ max_score }) => max_score],
  ['percentage', ({ percentage }) => percentage],
  ['is_late', ({ is_late }) => is_late],
  ['submitted_at', ({ submitted_at }) => submitted_at],
  ['graded_at', ({ graded_at }) => graded_at],
];

// What spreadsheets parse as the beginning of a formula, including the full-width forms of East Asian keyboards. Those
// whose list separator is the semicolon also split a text there, and read on through quotes and blanks.
const formula = /(^|[;\t\r\n])(?=[" ]*[=+\-@＝＋－＠])/g;

/** Whether a text needs a closer check; most do not. */
const mayBeFormula = /^[" ]*[=+\-@＝＋－＠]|[;\t\r\n]/;

/** Returns a text that spreadsheets show unchanged: an apostrophe is put before anything that would run as a formula, also within the text. */
export function escapeFormulas(text: string): string {
  if (!mayBeFormula.test(text)) return text;
  const shown = text.replaceAll(formula, "$1'");
  return /^[\t\r\n]/.test(text) ? `'${shown}` : shown;
}

const quoteField = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return quoteField(escapeFormulas(cell));
  return cell instanceof Date ? cell.toISOString() : String(cell);
}

/** Returns one RFC 4180 record with its line end. Texts are escaped and quoted if needed, null is empty, times are ISO 8601. */
export const csvRecord = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** The header record of an export. */
export const scoreHeader = csvRecord(columns.map(([name]) => name));

/** The record of one assigned student. */
export const scoreRecord = (row: ExamScoreRow): string => csvRecord(columns.map(([, cellOf]) => cellOf(row)));
