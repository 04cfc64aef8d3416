import type { BenchEnvironment } from '../environment';
import { benchLetters } from './letters';
import { benchMembership } from './membership';
import { benchUploads } from './uploads';

/** What classes and exams cost: a large membership, the letters of an exam, uploads. */
export async function* benchExams(environment: BenchEnvironment): AsyncGenerator<object> {
  for (const bench of [benchMembership, benchLetters, benchUploads]) yield* await bench(environment);
}
