import type { BenchEnvironment } from '../environment';
import { benchExport } from './export';
import { benchEmails } from './emails';
import { benchMembership } from './membership';
import { benchUploads } from './uploads';

/** What classes and exams cost: a large membership, the letters of an exam, an export; uploads last, for the disk goes on writing after them. */
export async function* benchExams(environment: BenchEnvironment): AsyncGenerator<object> {
  for (const bench of [benchMembership, benchEmails, benchExport, benchUploads]) yield* await bench(environment);
}
