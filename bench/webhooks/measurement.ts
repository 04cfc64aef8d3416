import { processorSeconds } from '../processorTime';
import type { BenchEnvironment } from '../environment';
import { receiver, type ReceivedEvents } from './receiver';
import { countOpenDeliveries, type BenchEndpoint, type ScenarioContext } from './scenarioContext';

/** An event committed during the measurement; `at` is its `created_at` in ms since 1970. */
export interface MeasuredEvent {
  id: string;
  institutionId: string;
  student: string;
  at: number;
}

/** The result of a measurement. */
export interface Outcome {
  events: MeasuredEvent[];
  /** By endpoint id: when each event first arrived. */
  arrivals: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Different events that arrived, over all endpoints. */
  delivered: number;
  /** Ids of the events whose first attempt the receiver rejected by its mode. */
  refusedAtFirst: ReadonlySet<string>;
  lost: number;
  duplicates: number;
  /** CPU seconds of the service and its stores, by process. */
  cpuSeconds: Record<string, number>;
}

/** The measured processes; publisher, receiver and the bench itself are not included. */
const measuredProcesses = ['api', 'worker', 'temporal', 'postgres', 'redis'];

/** Returns the CPU seconds used so far. */
const readCpuSeconds = ({ pids }: BenchEnvironment): Record<string, number> =>
  Object.fromEntries(measuredProcesses.map((name) => [name, processorSeconds(pids.get(name) ?? 0)]));

const waiting = 'SELECT count(*)::int AS count FROM event_queue WHERE institution_id = ANY ($1)';
const newest = `SELECT institution_id, max(created_at) AS at FROM events WHERE institution_id = ANY ($1) GROUP BY institution_id`;
const eventsAfter = `SELECT e.id, e.institution_id AS "institutionId", e.body::json -> 'data' ->> 'student_id' AS student, (extract(epoch FROM e.created_at) * 1000)::float8 AS at
  FROM events e JOIN unnest($1::text[], $2::timestamptz[]) AS m (institution_id, mark) ON m.institution_id = e.institution_id
 WHERE e.created_at > m.mark AND e.type = 'student.updated' ORDER BY e.created_at`;
const deliveryStates = 'SELECT event_id, endpoint_id, status FROM deliveries WHERE institution_id = ANY ($2) AND endpoint_id = ANY ($1)';

/** Time without activity after which missing events count as lost, in ms. */
const quietMs = 2_000;

/** Measures from its beginning which events arrive, which are lost, and the CPU time. */
export class Measurement {
  private constructor(
    private readonly stage: ScenarioContext,
    private readonly endpoints: readonly BenchEndpoint[],
    private readonly marks: ReadonlyMap<string, Date>,
    private cpuBefore: Record<string, number>,
  ) {}

  /** Resets the receiver, and records the position of the event feeds of these endpoints' institutions. */
  static async begin(stage: ScenarioContext, endpoints: readonly BenchEndpoint[]): Promise<Measurement> {
    const { environment } = stage;
    await receiver.reset();
    const institutionIds = [...new Set(endpoints.map(({ institution }) => institution.id))];
    const rows = await environment.database.sql<{ institution_id: string; at: Date }>(newest, [institutionIds]);
    const stands = new Map(rows.map(({ institution_id, at }) => [institution_id, at]));
    const marks = new Map(institutionIds.map((id) => [id, stands.get(id) ?? new Date(0)]));
    return new Measurement(stage, endpoints, marks, readCpuSeconds(environment));
  }

  /** Counts CPU time from now on only. */
  resetCpuSeconds(): void {
    this.cpuBefore = readCpuSeconds(this.stage.environment);
  }

  /**
   * Waits until every delivery of `expected` events has arrived or ended otherwise, and all is recorded; fails after
   * `withinMs`. Each institution's events are sent to each of its endpoints.
   */
  async waitUntilEnded(expected: number, withinMs: number): Promise<Outcome> {
    await this.waitForArrivals(expected, withinMs);
    await this.stage.until('every delivery has ended', async () => (await countOpenDeliveries(this.stage.environment, this.endpoints)) === 0, withinMs);
    return this.outcome(expected);
  }

  /** Returns the result without waiting, for an aborted measurement. */
  async outcome(expected: number): Promise<Outcome> {
    const { environment } = this.stage;
    const after = readCpuSeconds(environment);
    const cpuSeconds = Object.fromEntries(Object.entries(after).map(([name, seconds]) => [name, seconds - (this.cpuBefore[name] ?? 0)]));
    const taken = await receiver.received();
    const marks = [...this.marks];
    const events = await environment.database.sql<MeasuredEvent>(eventsAfter, [marks.map(([id]) => id), marks.map(([, at]) => at)]);
    const arrivals = new Map(this.endpoints.map(({ id, path }) => [id, firstArrivals(taken[path])]));
    const takenCount = this.endpoints.reduce((sum, { path }) => sum + (taken[path]?.ids.length ?? 0), 0);
    const delivered = [...arrivals.values()].reduce((sum, { size }) => sum + size, 0);
    return {
      events,
      arrivals,
      delivered,
      refusedAtFirst: new Set(this.endpoints.flatMap(({ path }) => taken[path]?.refusedAtFirst ?? [])),
      lost: (await this.countLost(events, arrivals)) + Math.max(0, expected - events.length) * this.endpointsPerInstitution,
      duplicates: takenCount - delivered,
      cpuSeconds,
    };
  }

  /** Waits until `expected` events have arrived at every endpoint, or nothing is in progress that could still arrive. */
  private async waitForArrivals(expected: number, withinMs: number): Promise<void> {
    const wanted = expected * this.endpointsPerInstitution;
    let arrived = 0;
    let looked = Date.now();
    await this.stage.until(
      `${wanted} arrivals`,
      async () => {
        const counts = await receiver.counts();
        arrived = this.endpoints.reduce((sum, { path }) => sum + (counts[path]?.arrived ?? 0), 0);
        if (arrived >= wanted) return true;
        if (Date.now() - looked < quietMs) return false;
        looked = Date.now();
        return this.isIdle();
      },
      withinMs,
    );
  }

  private async isIdle(): Promise<boolean> {
    const { environment } = this.stage;
    const [row] = await environment.database.sql<{ count: number }>(waiting, [[...this.marks.keys()]]);
    return row?.count === 0 && (await countOpenDeliveries(environment, this.endpoints)) === 0;
  }

  /** Returns how many events neither arrived at an endpoint nor have a delivery there whose status explains it. */
  private async countLost(events: readonly MeasuredEvent[], arrivals: Outcome['arrivals']): Promise<number> {
    const rows = await this.stage.environment.database.sql<{ event_id: string; endpoint_id: string; status: string }>(deliveryStates, [
      this.endpoints.map(({ id }) => id),
      [...this.marks.keys()],
    ]);
    const explained = new Set(rows.filter(({ status }) => status !== 'delivered').map(({ event_id, endpoint_id }) => `${endpoint_id} ${event_id}`));
    return this.endpoints.reduce((sum, { id, institution }) => {
      const own = events.filter(({ institutionId }) => institutionId === institution.id);
      return sum + own.filter((event) => arrivals.get(id)?.has(event.id) !== true && !explained.has(`${id} ${event.id}`)).length;
    }, 0);
  }

  private get endpointsPerInstitution(): number {
    return this.endpoints.length / this.marks.size;
  }
}

function firstArrivals(taken: ReceivedEvents | undefined): Map<string, number> {
  const first = new Map<string, number>();
  for (const [index, id] of (taken?.ids ?? []).entries()) {
    if (!first.has(id)) first.set(id, taken?.at[index] ?? Number.NaN);
  }
  return first;
}
