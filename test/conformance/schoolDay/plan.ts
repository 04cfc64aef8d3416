import { seededRandom } from '../../support/seededRandom';

export type ExamKind = 'document' | 'coding';

/** How a student's submission of an exam goes: what befalls its first version, or that there is none. */
export type Course = 'plain' | 'resubmitted' | 'voided' | 'voided after grading' | 'unfinished';

/** One attempt of a student and what comes of it. */
export interface AttemptPlan {
  /** The app is opened again while the attempt is in progress. */
  resumes: boolean;
  /** Seconds away, one for each loss of focus; quarters, so that sums are exact. */
  away: number[];
  sampleRuns: number;
  recorderErrors: number;
  /** The app receives no answer to its first batch of events, and sends it again. */
  sendsTwice: boolean;
  attachments: number;
  segments: number;
  score: number;
  /** What a second look makes of it. */
  regraded: number | null;
}

export interface SittingPlan {
  course: Course;
  /** The last version comes after the due date. */
  late: boolean;
  /** One for each attempt. */
  attempts: AttemptPlan[];
}

export interface StudentPlan {
  name: string;
  /** The institution's own identifier. */
  externalId: string;
  email: string;
  /** Whether the institution sends the email when it creates the student; else the student does, signing in. */
  mapped: boolean;
  group: number;
  sittings: Record<ExamKind, SittingPlan>;
}

export interface SchoolPlan {
  name: string;
  teachers: number;
  groups: number;
  students: StudentPlan[];
}

/** What exams are graded by: none of it is round. */
export const terms = {
  document: { max_score: 60, late_penalty_percentage: 12.5, time_limit_minutes: null },
  coding: { max_score: 100, late_penalty_percentage: 7.25, time_limit_minutes: 90 },
} as const;

const sizes = [
  { name: 'North', students: 67, teachers: 2 },
  { name: 'Süd', students: 67, teachers: 2 },
  { name: '東', students: 66, teachers: 1 },
];

/** Shares of an exam's students, rounded. */
const share = { late: 0.1, resubmitted: 0.05 } as const;

/** Identifiers that a table has to take care of. */
const oddIdentifiers = ['=1+1', 'a,b', 'say "hi"', '-7', 'Schüler 8', '漢字', "'quoted", '@home'];

/** Who does what on a school day: 3 institutions, 5 teachers, 200 students; the same for the same seed. */
export function planDay(seed: number): SchoolPlan[] {
  const random = seededRandom(seed);
  const below = (bound: number): number => Math.floor(random() * bound);
  const chance = (part: number): boolean => random() < part;
  const shuffled = (count: number): number[] =>
    Array.from({ length: count }, (_, nth) => ({ nth, key: random() })).sort((a, b) => a.key - b.key).map(({ nth }) => nth);

  const handing = (kind: ExamKind): AttemptPlan => {
    const score = (): number => below(terms[kind].max_score * 100 + 1) / 100;
    return {
      resumes: chance(0.15),
      away: Array.from({ length: below(4) }, () => below(400) / 4),
      sampleRuns: kind === 'coding' ? 1 + below(3) : 0,
      recorderErrors: chance(0.05) ? 1 : 0,
      sendsTwice: chance(0.2),
      attachments: chance(0.25) ? 1 + below(2) : 0,
      segments: chance(0.2) ? 1 : 0,
      score: score(),
      regraded: chance(0.05) ? score() : null,
    };
  };

  const coursesOf = (count: number): Course[] => {
    const courses = Array<Course>(count).fill('plain');
    const special: Course[] = [...Array<Course>(Math.round(count * share.resubmitted)).fill('resubmitted'), 'voided', 'voided after grading', 'unfinished'];
    for (const [nth, at] of shuffled(count).slice(0, special.length).entries()) courses[at] = special[nth] ?? 'plain';
    return courses;
  };

  const sittingsOf = (kind: ExamKind, count: number): SittingPlan[] => {
    const courses = coursesOf(count);
    const finishing = shuffled(count).filter((at) => courses[at] !== 'unfinished');
    const late = new Set(finishing.slice(0, Math.round(count * share.late)));
    return courses.map((course, at) => {
      const attempts = course === 'plain' || course === 'unfinished' ? 1 : 2;
      return { course, late: late.has(at), attempts: Array.from({ length: attempts }, () => handing(kind)) };
    });
  };

  return sizes.map(({ name, students: count, teachers }) => {
    const sittings = { document: sittingsOf('document', count), coding: sittingsOf('coding', count) };
    const students = sittings.document.map((document, nth): StudentPlan => ({
      name: `${name} ${nth}`,
      externalId: oddIdentifiers[nth] ?? `S-${nth}`,
      email: `reader.${nth}.${below(1e9).toString(36)}@mail.example`,
      mapped: chance(0.3),
      group: nth % 2,
      sittings: { document, coding: sittings.coding[nth] ?? document },
    }));
    return { name, teachers, groups: 2, students };
  });
}
