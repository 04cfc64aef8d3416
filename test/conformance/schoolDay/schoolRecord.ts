import type { Client } from '../client';
import type { ExamKind, SchoolPlan, SittingPlan, StudentPlan } from './plan';

/** An event as an integrator may receive it. */
export interface ExpectedEvent {
  type: string;
  data: object;
}

/** What one attempt came to, by what its app did and was answered. */
export interface AttemptRecord {
  id: string;
  startedAt: string;
  expiresAt: string | null;
  releasedAt: string | null;
  /** How many events of each type its feed is to have. */
  counts: Record<string, number>;
  focusLosses: number;
  secondsAway: number;
  recorderErrors: number;
  attachments: { id: string; name: string; sha256: string }[];
  recordings: string[];
}

export interface Grade {
  score: number;
  percentage: number;
  penalty: number;
}

/** One version of a submission. */
export interface VersionRecord {
  id: string;
  attempt: AttemptRecord;
  version: number;
  isLate: boolean;
  submittedAt: string;
  text: string;
  usage: object;
  status: 'submitted' | 'graded' | 'resubmission_required' | 'voided';
  grade: Grade | null;
  gradedAt: string | null;
  gradedBy: string | null;
}

export interface StudentRecord {
  plan: StudentPlan;
  id: string;
  loginEmail: string;
  app: Client;
}

/** One student and one exam. */
export interface Sitting {
  student: StudentRecord;
  plan: SittingPlan;
  attempts: AttemptRecord[];
  versions: VersionRecord[];
}

export interface ExamRecord {
  id: string;
  kind: ExamKind;
  ownerId: string;
  sittings: Sitting[];
}

/** Everything that an institution did and has to find again. */
export interface SchoolRecord {
  plan: SchoolPlan;
  id: string;
  apiKey: string;
  client: Client;
  teachers: { id: string; login_email: string }[];
  groups: string[];
  students: StudentRecord[];
  exams: ExamRecord[];
  /** What happened before there was an endpoint, and all that has happened. */
  before: ExpectedEvent[];
  expectedEvents: ExpectedEvent[];
  /** The number of emails that each address is to get. */
  expectedEmails: Map<string, number>;
}

/** Records that an email is expected. */
export function expectEmail({ expectedEmails }: SchoolRecord, address: string): void {
  expectedEmails.set(address, (expectedEmails.get(address) ?? 0) + 1);
}

/** The newest version of a sitting; undefined before the first. */
export const newestOf = ({ versions }: Sitting): VersionRecord | undefined => versions.at(-1);

/** Every version of an exam. */
export const versionsOf = ({ sittings }: ExamRecord): VersionRecord[] => sittings.flatMap(({ versions }) => versions);

/** Every attempt at an exam. */
export const attemptsOf = ({ sittings }: ExamRecord): AttemptRecord[] => sittings.flatMap(({ attempts }) => attempts);

/** A part of a whole, rounded half up, in whole numbers. */
const roundedShare = (part: number, whole: number): number => (part - (part % whole)) / whole + (2 * (part % whole) >= whole ? 1 : 0);

/** The percentage that a score is worth: all in hundredths, which numbers hold exactly. */
export function gradeOf(score: number, { max, penalty }: { max: number; penalty: number }): Grade {
  const kept = 10_000 - Math.round(penalty * 100);
  return { score, penalty, percentage: roundedShare(Math.round(score * 100) * kept, max * 100) / 100 };
}
