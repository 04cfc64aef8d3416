import { waitUntil } from '../../local/waitUntil';
import { openTemporal, type TemporalConnection } from '../../outbound/temporal/engine';
import { inspectorPorts, receiverControlPort, receiverPort, type BenchEnvironment } from '../environment';
import { rounded } from '../statistics';
import { receiver } from '../webhooks/receiver';
import { Book } from './expectedCounts';
import { dayText, weekBefore, type PlayedDay } from './calendar';
import { openDesk } from './institutionClient';
import { Mailbox } from './mailbox';
import { heldBy, inspectable, type Held } from './memory';
import { dateLearning, letExpire, oldADay, plantOldRows } from './oldRows';
import { Promises } from './weekChecks';
import { pauseSchedules, runSchedulesOf, triggerSchedules, type Result } from './schedules';
import { openSchool, playDay, type School } from './school';
import { deliveredTo, openOf, settled } from './deliveryCounts';
import { tableOf } from './formatTable';
import { expectedOpen, workflowsByType } from './workflows';

const institutions = 10;
const atOnce = 5;
/** The day on which the endpoint of the first institution answers 500. */
const failingDay = 3;
const settledWithinMs = 60_000;
/** Retries of that day that had waits of minutes before them. */
const drainedWithinMs = 180_000;
const endedWithinMs = 60_000;
const withinMs = 480_000;

interface Processes {
  api: { pid: number };
  worker: { pid: number };
}

/** What the runs of a day find to do; on Mondays the reports of those who have learnt on the days before. */
function workOf(day: PlayedDay, isLast: boolean): Record<string, Result> {
  return {
    licenseExpirySweep: { expired: institutions, institutions },
    eventRetention: { removed: oldADay.events * institutions, institutions, kept: 0 },
    deliveryRetention: { removed: oldADay.deliveries * institutions, institutions, kept: 0 },
    housekeeping: { sessions: oldADay.sessions * institutions, signInCodes: oldADay.signInCodes * institutions },
    ...(isLast ? { weeklyGuardianReport: { reports: institutions * (day.number - 1), letters: institutions * (day.number - 1), institutions, inactive: 0 } } : {}),
  };
}

/** Plays for some schools side by side, then for the next: as many as two cores do not stumble over. */
async function inTurns(schools: readonly School[], playFor: (school: School) => Promise<string>): Promise<string[]> {
  const played: string[] = [];
  for (let first = 0; first < schools.length; first += atOnce) played.push(...(await Promise.all(schools.slice(first, first + atOnce).map(playFor))));
  return played;
}

/** A second time there is nothing left to do. */
const nothing: Record<string, Result> = {
  licenseExpirySweep: { expired: 0 },
  eventRetention: { removed: 0 },
  deliveryRetention: { removed: 0 },
  housekeeping: { sessions: 0, signInCodes: 0 },
  weeklyGuardianReport: { reports: 0, letters: 0 },
};

/** A week of ten institutions in minutes, day by day, and what it left. */
class Week {
  private readonly book = new Book();
  private readonly promises = new Promises();
  private readonly mailbox: Mailbox;
  private readonly started = new Date();
  private readonly held: { api: Held; worker: Held; open: number }[] = [];
  private schools: School[] = [];

  constructor(private readonly environment: BenchEnvironment, private readonly processes: Processes, private readonly temporal: TemporalConnection) {
    this.mailbox = new Mailbox(environment.stores.mailDir);
  }

  async *play(): AsyncGenerator<object> {
    const { sql } = this.environment.database;
    const days = weekBefore(this.started);
    await pauseSchedules(this.temporal);
    for (let nth = 1; nth <= institutions; nth += 1) {
      const desk = openDesk(this.environment, await this.environment.institution(`week-${nth}`, 1), this.book);
      const school = await openSchool(desk, nth);
      this.schools.push(school);
      for (const day of days) await plantOldRows(sql, desk.institution, school.endpointId, day);
    }
    for (const day of days) yield await this.playOne(day, day === days.at(-1));
    yield* this.end();
  }

  private get ids(): string[] {
    return this.schools.map(({ desk }) => desk.institution.id);
  }

  private async playOne(day: PlayedDay, isLast: boolean): Promise<object> {
    const { sql } = this.environment.database;
    const began = performance.now();
    const [failing] = this.schools;
    if (failing === undefined) throw new Error('There are no institutions');
    const fails = day.number === failingDay;
    await receiver.answer(failing.path, fails ? 'fail' : 'ok');
    const expiring = await inTurns(this.schools, (school) => playDay(school, day, this.mailbox));
    for (const studentId of expiring) await letExpire(sql, studentId, day);
    this.book.note('licenses expired', expiring.length);
    await dateLearning(sql, this.ids, day, this.started);
    const results = await runSchedulesOf(day, this.temporal);
    const work = workOf(day, isLast);
    this.promises.done(dayText(day), work, results);
    if (isLast) {
      this.book.note('weekly reports', work.weeklyGuardianReport?.reports);
      this.book.note('report letters sent', work.weeklyGuardianReport?.letters);
    }
    await settled(sql, day.number < failingDay ? [] : [failing.endpointId], settledWithinMs);
    const waiting = await openOf(sql, failing.endpointId);
    if (fails) this.promises.that(waiting > 0, 'while its receiver fails, deliveries of the endpoint wait');
    const held = {
      api: await heldBy(this.processes.api.pid, inspectorPorts.api),
      worker: await heldBy(this.processes.worker.pid, inspectorPorts.worker),
      open: (await this.temporal.client.workflow.count("ExecutionStatus = 'Running'")).count,
    };
    this.held.push(held);
    return {
      bench: 'week', day: dayText(day), seconds: rounded((performance.now() - began) / 1_000, 1), failing_endpoint_waiting: waiting,
      api_resident_mb: held.api.resident, api_heap_mb: held.api.heap, worker_resident_mb: held.worker.resident, worker_heap_mb: held.worker.heap, open_workflows: held.open,
    };
  }

  /** What the week left, once nothing is under way any more. */
  private async *end(): AsyncGenerator<object> {
    const { sql } = this.environment.database;
    const began = performance.now();
    await settled(sql, [], drainedWithinMs).catch((error: unknown) => this.promises.that(false, String(error)));
    this.promises.done('the schedules, triggered', nothing, await triggerSchedules(this.temporal));
    const workflows = await this.workflows();
    yield { bench: 'week: workflows', drained_after_s: rounded((performance.now() - began) / 1_000, 1), workflows };
    yield { bench: 'week: rows', rows: await this.rows() };
    yield { bench: 'week: deliveries', ...(await this.deliveries()) };
    const rise = {
      api: this.promises.level('API', this.held.map(({ api }) => ({ ...api, atHand: 0 }))),
      worker: this.promises.level('worker', this.held.map(({ worker, open }) => ({ ...worker, atHand: open }))),
    };
    yield { bench: 'week: promises', rise, seconds: Math.round((Date.now() - this.started.getTime()) / 1_000), broken: this.promises.broken };
    if (this.promises.broken.length > 0) process.exitCode = 1;
  }

  private async workflows(): Promise<object[]> {
    const { sql } = this.environment.database;
    const look = async () => Promise.all((await workflowsByType(this.temporal)).map(async (found) => ({ ...found, waiting: await expectedOpen(sql, found.type) })));
    let all = await look();
    await waitUntil({
      what: 'the end of every workflow that nothing waits for',
      withinMs: endedWithinMs,
      check: async () => {
        all = await look();
        const other = all.filter(({ open, waiting }) => open !== waiting).map(({ type }) => type);
        if (other.length > 0) throw new Error(other.join(', '));
      },
    }).catch(() => undefined);
    for (const found of all) this.promises.workflows(found, found.waiting);
    return all;
  }

  private async rows(): Promise<object[]> {
    const compared = await this.book.compare(this.environment.database.sql, this.ids);
    for (const counted of compared) this.promises.rows(counted);
    return compared;
  }

  private async deliveries(): Promise<object> {
    const sums = { events: 0, deliveries: 0, delivered: 0, arrived: 0, refused: 0 };
    const counts = await receiver.counts();
    for (const { endpointId, path } of this.schools) {
      const { events, deliveries, delivered } = await deliveredTo(this.environment.database.sql, endpointId);
      const { arrived = 0, refused = 0 } = counts[path] ?? {};
      this.promises.that([deliveries, delivered, arrived].every((count) => count === events), `${path}: of ${events} events ${deliveries} deliveries, ${delivered} delivered, ${arrived} arrived`);
      for (const [name, count] of Object.entries({ events, deliveries, delivered, arrived, refused })) sums[name as keyof typeof sums] += count;
    }
    return sums;
  }
}

/** What a line is beside its table, and the table's rows. */
function printTables(lines: readonly object[]): void {
  const days = lines.filter((line) => 'day' in line);
  const tables = [days, ...lines.flatMap((line) => Object.values(line).filter((value): value is object[] => Array.isArray(value) && typeof value[0] === 'object'))];
  for (const table of tables) process.stderr.write(`\n${tableOf(table)}\n`);
}

/** Plays a week on a service of its own: people, exams, money, learning, guardians, webhooks, and each day's Schedules with its time. */
export async function* benchWeek(environment: BenchEnvironment): AsyncGenerator<object> {
  const ports = { BENCH_PORT: String(receiverPort), BENCH_CONTROL_PORT: String(receiverControlPort) };
  const hooks = await environment.program('receiver', 'bench/programs/receiver.js', ports, receiver.readyUrl);
  const api = await environment.startApi(inspectable(inspectorPorts.api));
  const worker = await environment.startWorker(inspectable(inspectorPorts.worker));
  const temporal = openTemporal({ address: environment.stores.temporalAddress, namespace: 'default', taskQueue: 'institution' });
  const lines: object[] = [];
  const deadline = Date.now() + withinMs;
  try {
    for await (const line of new Week(environment, { api, worker }, temporal).play()) {
      if (Date.now() > deadline) throw new Error(`The week did not end within ${withinMs / 1_000} s`);
      lines.push(line);
      yield line;
    }
    printTables(lines);
  } finally {
    await temporal.close();
    await worker.stop(10_000);
    await api.stop(5_000);
    await hooks.stop(5_000);
  }
}
