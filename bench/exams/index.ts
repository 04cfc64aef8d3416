import type { BenchEnvironment } from '../environment';
import { benchExport } from './export';
import { benchLetters } from './letters';
import { benchMembership } from './membership';
import { benchUploads } from './uploads';

/** What classes and exams cost: a large membership, the letters of an exam, uploads, an export. */
export async function* benchExams(environment: BenchEnvironment): AsyncGenerator<object> {
  for (const bench of [benchMembership, benchLetters, benchUploads, benchExport]) yield* await bench(environment);
}
