import { waitUntil } from '../../local/waitUntil';
import { openTemporal, type TemporalConnection } from '../../outbound/temporal/engine';
import { inspectorPorts, receiverControlPort, receiverPort, type BenchEnvironment } from '../environment';
import { rounded } from '../statistics';
import { receiver } from '../webhooks/receiver';
import { ExpectedCounts } from './expectedCounts';
import { formatDay, weekBefore, type SimulatedDay } from './calendar';
import { createInstitutionClient } from './institutionClient';
import { Mailbox } from './mailbox';
import { measureMemory, inspectorEnvironment, type MemoryUse } from './memory';
import { backdateLearning, setLicenseExpiry, oldRowsPerDay, seedOldRows } from './oldRows';
import { WeekChecks } from './weekChecks';
import { pauseSchedules, runSchedules, triggerSchedules, type Result } from './schedules';
import { createSchool, runSchoolDay, type School } from './school';
import { countDeliveries, countOpenDeliveries, waitUntilSettled } from './deliveryCounts';
import { formatTable } from './formatTable';
import { countExpectedOpen, workflowsByType } from './workflows';

const institutions = 10;
const concurrentSchools = 5;
/** The day on which the endpoint of the first institution responds 500. */
const failingDay = 3;
const settleTimeoutMs = 60_000;
/** Retries of that day may wait for minutes. */
const drainTimeoutMs = 180_000;
const endTimeoutMs = 60_000;
const withinMs = 480_000;

interface Processes {
  api: { pid: number };
  worker: { pid: number };
}

/** Returns the expected work of a day's runs; on Mondays the reports of the students who learned on the days before. */
function expectedResults(day: SimulatedDay, isLast: boolean): Record<string, Result> {
  return {
    licenseExpirySweep: { expired: institutions, institutions },
    eventRetention: { removed: oldRowsPerDay.events * institutions, institutions, kept: 0 },
    deliveryRetention: { removed: oldRowsPerDay.deliveries * institutions, institutions, kept: 0 },
    // What is recorded of exams is kept for half a year at least.
    institutionRetention: { removed: 0, institutions: 0, kept: 0 },
    housekeeping: { sessions: oldRowsPerDay.sessions * institutions, signInCodes: oldRowsPerDay.signInCodes * institutions },
    ...(isLast ? { weeklyGuardianReport: { reports: institutions * (day.number - 1), letters: institutions * (day.number - 1), institutions, inactive: 0 } } : {}),
  };
}

/** Runs some schools concurrently, then the next ones, so that two cores are not overloaded. */
async function inBatches(schools: readonly School[], playFor: (school: School) => Promise<string>): Promise<string[]> {
  const played: string[] = [];
  for (let first = 0; first < schools.length; first += concurrentSchools) played.push(...(await Promise.all(schools.slice(first, first + concurrentSchools).map(playFor))));
  return played;
}

/** On a second run there is nothing left to do. */
const expectedSecondResults: Record<string, Result> = {
  licenseExpirySweep: { expired: 0 },
  eventRetention: { removed: 0 },
  deliveryRetention: { removed: 0 },
  institutionRetention: { removed: 0 },
  housekeeping: { sessions: 0, signInCodes: 0 },
  weeklyGuardianReport: { reports: 0, letters: 0 },
};

/** A week of ten institutions in minutes, day by day, and its results. */
class Week {
  private readonly expectedCounts = new ExpectedCounts();
  private readonly checks = new WeekChecks();
  private readonly mailbox: Mailbox;
  private readonly started = new Date();
  private readonly memory: { api: MemoryUse; worker: MemoryUse; open: number }[] = [];
  private schools: School[] = [];

  constructor(private readonly environment: BenchEnvironment, private readonly processes: Processes, private readonly temporal: TemporalConnection) {
    this.mailbox = new Mailbox(environment.stores.mailDir);
  }

  async *run(): AsyncGenerator<object> {
    const { sql } = this.environment.database;
    const days = weekBefore(this.started);
    await pauseSchedules(this.temporal);
    for (let nth = 1; nth <= institutions; nth += 1) {
      const client = createInstitutionClient(this.environment, await this.environment.institution(`week-${nth}`, 1), this.expectedCounts);
      const school = await createSchool(client, nth);
      this.schools.push(school);
      for (const day of days) await seedOldRows(sql, client.institution, school.endpointId, day);
    }
    for (const day of days) yield await this.runDay(day, day === days.at(-1));
    yield* this.checkResults();
  }

  private get ids(): string[] {
    return this.schools.map(({ client }) => client.institution.id);
  }

  private async runDay(day: SimulatedDay, isLast: boolean): Promise<object> {
    const { sql } = this.environment.database;
    const began = performance.now();
    const [failing] = this.schools;
    if (failing === undefined) throw new Error('There are no institutions');
    const fails = day.number === failingDay;
    await receiver.setMode(failing.path, fails ? 'fail' : 'ok');
    const expiring = await inBatches(this.schools, (school) => runSchoolDay(school, day, this.mailbox));
    for (const studentId of expiring) await setLicenseExpiry(sql, studentId, day);
    this.expectedCounts.add('licenses expired', expiring.length);
    await backdateLearning(sql, this.ids, day, this.started);
    const results = await runSchedules(day, this.temporal);
    const work = expectedResults(day, isLast);
    this.checks.checkSchedules(formatDay(day), work, results);
    if (isLast) {
      this.expectedCounts.add('weekly reports', work.weeklyGuardianReport?.reports);
      this.expectedCounts.add('report emails sent', work.weeklyGuardianReport?.letters);
    }
    await waitUntilSettled(sql, day.number < failingDay ? [] : [failing.endpointId], settleTimeoutMs);
    const waiting = await countOpenDeliveries(sql, failing.endpointId);
    if (fails) this.checks.check(waiting > 0, 'while its receiver fails, deliveries of the endpoint wait');
    const memory = {
      api: await measureMemory(this.processes.api.pid, inspectorPorts.api),
      worker: await measureMemory(this.processes.worker.pid, inspectorPorts.worker),
      open: (await this.temporal.client.workflow.count("ExecutionStatus = 'Running'")).count,
    };
    this.memory.push(memory);
    return {
      bench: 'week', day: formatDay(day), seconds: rounded((performance.now() - began) / 1_000, 1), failing_endpoint_waiting: waiting,
      api_resident_mb: memory.api.resident, api_heap_mb: memory.api.heap, worker_resident_mb: memory.worker.resident, worker_heap_mb: memory.worker.heap, open_workflows: memory.open,
    };
  }

  /** Yields the results of the week, once nothing is in progress. */
  private async *checkResults(): AsyncGenerator<object> {
    const { sql } = this.environment.database;
    const began = performance.now();
    await waitUntilSettled(sql, [], drainTimeoutMs).catch((error: unknown) => this.checks.check(false, String(error)));
    this.checks.checkSchedules('the schedules, triggered', expectedSecondResults, await triggerSchedules(this.temporal));
    const workflows = await this.workflows();
    yield { bench: 'week: workflows', drained_after_s: rounded((performance.now() - began) / 1_000, 1), workflows };
    yield { bench: 'week: rows', rows: await this.compareCounts() };
    yield { bench: 'week: deliveries', ...(await this.deliveries()) };
    const rise = {
      api: this.checks.checkMemory('API', this.memory.map(({ api }) => ({ ...api, cachedWorkflows: 0 }))),
      worker: this.checks.checkMemory('worker', this.memory.map(({ worker, open }) => ({ ...worker, cachedWorkflows: open }))),
    };
    yield { bench: 'week: checks', rise, seconds: Math.round((Date.now() - this.started.getTime()) / 1_000), broken: this.checks.failures };
    if (this.checks.failures.length > 0) process.exitCode = 1;
  }

  private async workflows(): Promise<object[]> {
    const { sql } = this.environment.database;
    const look = async () => Promise.all((await workflowsByType(this.temporal)).map(async (found) => ({ ...found, waiting: await countExpectedOpen(sql, found.type) })));
    let all = await look();
    await waitUntil({
      what: 'the end of every workflow that nothing waits for',
      withinMs: endTimeoutMs,
      check: async () => {
        all = await look();
        const other = all.filter(({ open, waiting }) => open !== waiting).map(({ type }) => type);
        if (other.length > 0) throw new Error(other.join(', '));
      },
    }).catch(() => undefined);
    for (const found of all) this.checks.checkWorkflows(found, found.waiting);
    return all;
  }

  private async compareCounts(): Promise<object[]> {
    const compared = await this.expectedCounts.compare(this.environment.database.sql, this.ids);
    for (const counted of compared) this.checks.checkCount(counted);
    return compared;
  }

  private async deliveries(): Promise<object> {
    const sums = { events: 0, deliveries: 0, delivered: 0, arrived: 0, refused: 0 };
    const counts = await receiver.counts();
    for (const { endpointId, path } of this.schools) {
      const { events, deliveries, delivered } = await countDeliveries(this.environment.database.sql, endpointId);
      const { arrived = 0, refused = 0 } = counts[path] ?? {};
      this.checks.check([deliveries, delivered, arrived].every((count) => count === events), `${path}: of ${events} events ${deliveries} deliveries, ${delivered} delivered, ${arrived} arrived`);
      for (const [name, count] of Object.entries({ events, deliveries, delivered, arrived, refused })) sums[name as keyof typeof sums] += count;
    }
    return sums;
  }
}

/** Prints the tables of lines that have one. */
function printResultTables(lines: readonly object[]): void {
  const days = lines.filter((line) => 'day' in line);
  const tables = [days, ...lines.flatMap((line) => Object.values(line).filter((value): value is object[] => Array.isArray(value) && typeof value[0] === 'object'))];
  for (const table of tables) process.stderr.write(`\n${formatTable(table)}\n`);
}

/** Simulates a week on a separate service: people, exams, wallets, learning, guardians, webhooks, and each day's Schedules with its time. */
export async function* benchWeek(environment: BenchEnvironment): AsyncGenerator<object> {
  const ports = { BENCH_PORT: String(receiverPort), BENCH_CONTROL_PORT: String(receiverControlPort) };
  const hooks = await environment.program('receiver', 'bench/programs/receiver.js', ports, receiver.readyUrl);
  const api = await environment.startApi(inspectorEnvironment(inspectorPorts.api));
  const worker = await environment.startWorker(inspectorEnvironment(inspectorPorts.worker));
  const temporal = openTemporal({ address: environment.stores.temporalAddress, namespace: 'default', taskQueue: 'institution' });
  const lines: object[] = [];
  const deadline = Date.now() + withinMs;
  try {
    for await (const line of new Week(environment, { api, worker }, temporal).run()) {
      if (Date.now() > deadline) throw new Error(`The week did not end within ${withinMs / 1_000} s`);
      lines.push(line);
      yield line;
    }
    printResultTables(lines);
  } finally {
    await temporal.close();
    await worker.stop(10_000);
    await api.stop(5_000);
    await hooks.stop(5_000);
  }
}
