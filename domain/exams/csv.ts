import type { ExamScoreRow } from '../../db/repositories/exams/scores';

type Cell = string | number | boolean | Date | null;

/** The columns of an export in the contract's order (section Submission), each with what it shows of a row. */
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

// What spreadsheets take for the beginning of a formula, the forms of East Asian keyboards among it. Those whose list
// separator is the semicolon part a text there, too, and read on through quotes and blanks.
const formula = /(^|[;\t\r\n])(?=[" ]*[=+\-@＝＋－＠])/g;

/** Whether there is anything to look at more closely; in most texts there is not. */
const mayBeFormula = /^[" ]*[=+\-@＝＋－＠]|[;\t\r\n]/;

/** A text that a spreadsheet shows as it is: what it would run as a formula gets an apostrophe in front, also within the text. */
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

/** One record of RFC 4180 with its line end. Texts are guarded and quoted where they need it, null is empty, times are ISO 8601. */
export const csvRecord = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** The header record of an export. */
export const scoreHeader = csvRecord(columns.map(([name]) => name));

/** The record of one assigned student. */
export const scoreRecord = (row: ExamScoreRow): string => csvRecord(columns.map(([, cellOf]) => cellOf(row)));
