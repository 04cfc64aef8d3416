// Reads the CSV file of the roster for sync.ts.
import { readFileSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse/sync';

/** A line of the roster. */
export type Row = { student_id: string; full_name: string; class: string; email?: string };

function readFile(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const isText = error instanceof TypeError;
    throw new Error(isText ? `${path} is not UTF-8: save it as CSV in UTF-8` : `${path} cannot be read: give the path of the roster, then that of the state`, { cause: error });
  }
}

/** What to do about a file that is no CSV. */
function problemOf(rosterPath: string, { code, lines, record, columns }: CsvError, begin: number): string {
  if (code === 'CSV_RECORD_INCONSISTENT_COLUMNS' && Array.isArray(record) && Array.isArray(columns)) {
    return `${rosterPath}, line ${lines}: the first line has ${columns.length} fields, this one ${record.length}; a field with commas begins and ends with a quote`;
  }
  const end = Number(lines) > begin ? ` (this record goes on to line ${lines})` : '';
  return `${rosterPath}, line ${begin}: a quote is missing or too many${end}; a field with commas begins and ends with one`;
}

/** Refuses a file that is no roster: students who are not in it are suspended. */
export function readRoster(rosterPath: string): Map<string, Row> {
  const roster = new Map<string, Row>();
  // Where the record that is read begins: a quote that is not closed is noticed lines below.
  let begin = 1;
  try {
    parse(readFile(rosterPath), {
      bom: true,
      trim: true,
      skip_empty_lines: true,
      columns: (given: string[]) => {
        begin = 2;
        const header = given.map((name) => name.toLowerCase());
        const missing = ['student_id', 'full_name', 'class'].find((name) => !header.includes(name));
        if (missing !== undefined) throw new Error(`${rosterPath} lacks the column ${missing}; it has ${header.join(', ')}${header.length === 1 ? ': separate columns with commas' : ''}`);
        return header;
      },
      on_record: (row: Row, { lines }) => {
        if (row.student_id === '') throw new Error(`${rosterPath}, line ${lines}: student_id is empty`);
        if (roster.has(row.student_id)) throw new Error(`${rosterPath}, line ${lines}: ${row.student_id} is there already; every line needs a student_id of its own`);
        roster.set(row.student_id, row);
        begin = lines + 1;
        return null;
      },
    });
  } catch (error) {
    throw error instanceof CsvError ? new Error(problemOf(rosterPath, error, begin), { cause: error }) : error;
  }
  if (roster.size === 0) throw new Error(`${rosterPath} has no students`);
  return roster;
}
