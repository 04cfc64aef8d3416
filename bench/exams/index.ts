import type { BenchEnvironment } from '../environment';
import { benchExport } from './export';
import { benchEmails } from './emails';
import { benchMembership } from './membership';
import { benchUploads } from './uploads';

/** Measures classes and exams: a large membership, the emails of an exam, an export; uploads last, because the disk continues writing after them. */
export async function* benchExams(environment: BenchEnvironment): AsyncGenerator<object> {
  for (const bench of [benchMembership, benchEmails, benchExport, benchUploads]) yield* await bench(environment);
}
