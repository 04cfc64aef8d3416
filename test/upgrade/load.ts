import { setTimeout as pause } from 'node:timers/promises';
import type { School } from './school';

/** Calls at a steady rate, and a school day in parallel. */
export interface Load {
  /** Creates so many students in one call that runs while a process is replaced. */
  bulk(): void;
  /** The students whose creation was answered with success. */
  readonly created: readonly string[];
  /** Resolves when every call that was begun has ended. */
  stop(): Promise<void>;
}

const examEveryMs = 4_000;
/** As many as the clients of a school system have under way at most: a machine that cannot keep up gets fewer calls, not ever more open ones. */
const mostUnderWay = 400;
const bulkSize = 50;

/** Starts so many calls a second, whether those before have ended or not, up to a bound. Failures are in the record of the caller. */
export function startLoad(school: School, perSecond: number): Load {
  const underWay = new Set<Promise<unknown>>();
  let stopped = false;
  let nth = 0;
  let sessions = 0;
  const created: string[] = [];
  const studentOf = (number: number): string => school.studentIds[number % school.studentIds.length] ?? '';

  const create = async (): Promise<void> => {
    const { id } = await school.key<{ id: string }>('POST /students', '/students', { full_name: `New ${nth}` });
    created.push(id);
  };
  const change = (): Promise<unknown> => school.key('PATCH /students/{id}', `/students/${studentOf(nth)}`, { full_name: `Student ${Date.now()} ${nth}` });
  const readOne = (): Promise<unknown> => school.key('GET /students/{id}', `/students/${created.at(-1) ?? studentOf(nth)}`);
  const listStudents = (): Promise<unknown> => school.key('GET /students', '/students?limit=50');
  const listDeliveries = (): Promise<unknown> => school.key('GET /webhooks/deliveries', '/webhooks/deliveries?limit=50');
  const listDead = (): Promise<unknown> => school.key('GET /webhooks/deliveries?status=dead', '/webhooks/deliveries?status=dead&limit=50');
  const listEvents = (): Promise<unknown> => school.key('GET /events', `/events?limit=50&since=${new Date(Date.now() - 60_000).toISOString()}`);
  const readExams = (): Promise<unknown> => school.key('GET /exams', '/exams?limit=20');
  const nextSession = (): string | undefined => {
    sessions += 1;
    return school.people[sessions % school.people.length]?.session;
  };
  const heartbeat = (): Promise<unknown> => school.person(nextSession(), 'POST /app/heartbeat', '/app/heartbeat', { app_version: '2.4.1' });
  const appExams = (): Promise<unknown> => school.person(nextSession(), 'GET /app/exams', '/app/exams');
  const operations = [create, change, readOne, change, listStudents, create, change, listDeliveries, heartbeat, change, readOne, create, listEvents, change, readExams, create, change, appExams, listDead, change];

  const add = (call: Promise<unknown>): void => {
    // What fails is counted where it was made.
    const ended = call.catch(() => undefined).finally(() => underWay.delete(ended));
    underWay.add(ended);
  };

  /** Publishes an exam, which a student takes and a teacher grades. */
  const examDay = async (): Promise<void> => {
    const exam = await school.key<{ id: string }>('POST /exams', '/exams', { faculty_id: school.teacherId, title: `Exam ${nth}`, group_ids: [school.groupId], time_limit_minutes: 60 });
    const session = school.people[1]?.session;
    const attempt = await school.person<{ id: string }>(session, 'POST /app/exams/{id}/attempts', `/app/exams/${exam.id}/attempts`, {});
    const submission = await school.person<{ id: string }>(session, 'POST /app/attempts/{id}/submit', `/app/attempts/${attempt.id}/submit`, { text: 'The answer is 42.' });
    await school.key('POST /submissions/{id}/grade', `/submissions/${submission.id}/grade`, { score: 90 });
    await school.key('POST /exams/{id}/close', `/exams/${exam.id}/close`, {});
  };

  const steady = async (): Promise<void> => {
    let due = performance.now();
    while (!stopped) {
      const wait = due - performance.now();
      if (wait > 0) await pause(wait);
      if (underWay.size >= mostUnderWay) {
        await pause(10);
        // Calls that were not made in time are not made up for.
        due = performance.now();
        continue;
      }
      due += 1_000 / perSecond;
      const operation = operations[nth % operations.length];
      nth += 1;
      if (operation !== undefined) add(operation());
    }
  };
  const days = async (): Promise<void> => {
    while (!stopped) {
      await examDay().catch(() => undefined);
      await pause(examEveryMs);
    }
  };
  const loops = [steady(), days()];
  return {
    created,
    bulk: () => {
      const students = Array.from({ length: bulkSize }, (_, number) => ({ full_name: `Bulk ${number}` }));
      add(school.key<{ created: number }>('POST /students/bulk', '/students/bulk', { students }));
    },
    stop: async () => {
      stopped = true;
      await Promise.all(loops);
      await Promise.all(underWay);
    },
  };
}
