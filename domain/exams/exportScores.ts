import type { InstitutionScope } from '../../db/database';
import { readExamScores } from '../../db/repositories/exams/scores';
import { scoreHeader, scoreRecords } from './csv';
import { requireExam } from './requireExam';

/** How many rows a chunk has, some 80 KB of text; each chunk is a short statement of its own. */
const chunkRows = 750;

/**
 * Yields the scores of an exam as CSV, in chunks: the header, then a record for each assigned student by login email. Between two
 * chunks it holds the text of the next one, and neither rows, a connection nor a snapshot. Throws `not_found` before the first
 * chunk if there is no such exam.
 */
export async function* exportScores(reads: InstitutionScope, examId: string): AsyncGenerator<string, void> {
  await requireExam(reads, examId);
  // The header is sent with the first rows: until they are read, an error response is still possible.
  let opening = scoreHeader;
  for await (const records of readExamScores(reads, examId, chunkRows, scoreRecords)) {
    yield opening + records;
    opening = '';
  }
  if (opening !== '') yield opening;
}
