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

// The characters that begin a formula in a spreadsheet, with those of East Asian keyboards. A spreadsheet whose list
// separator is the semicolon also splits a text there, and skips quotes and blanks before a formula.
const formula = /(^|[;\t\r\n])(?=[" ]*[=+\-@＝＋－＠])/g;

/** A quick first check; most texts pass it. */
const mayBeFormula = /^[" ]*[=+\-@＝＋－＠]|[;\t\r\n]/;

/** Returns a text that a spreadsheet shows and does not run: an apostrophe is inserted before each formula, also within the text. */
export function escapeFormulas(text: string): string {
  if (!mayBeFormula.test(text)) return text;
  const shown = text.replaceAll(formula, "$1'");
  return /^[\t\r\n]/.test(text) ? `'${shown}` : shown;
}

const quoteField = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function fieldOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return quoteField(escapeFormulas(cell));
  return cell instanceof Date ? cell.toISOString() : String(cell);
}

/** Returns a record of RFC 4180 with its line end. Formulas in texts are escaped, null is empty, times are ISO 8601. */
export const csvRecord = (cells: readonly Cell[]): string => `${cells.map(fieldOf).join(',')}\r\n`;

/** The header record of an export. */
export const scoreHeader = csvRecord(columns.map(([name]) => name));

/** Returns the records of assigned students. */
export const scoreRecords = (rows: readonly ExamScoreRow[]): string => rows.map((row) => csvRecord(columns.map(([, cellOf]) => cellOf(row)))).join('');
