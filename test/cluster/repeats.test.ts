import { countRepeats, inFlightAtEnd, readLate, withoutPostgres, type Arrival, type Disturbance } from './repeats';

const killedAt = 1_000_000;
const second = 1_000;

const arrival = (at: number, sender: string | undefined): Arrival => ({ id: 'evt_1', at, sender });
const unexplained = (arrivals: readonly Arrival[], disturbances: readonly Disturbance[], failed = 0): number => countRepeats(arrivals, disturbances, new Map([['evt_1', failed]])).unexplained_duplicates;
const none: ReadonlyMap<string, number> = new Map();

const kill = inFlightAtEnd('worker-1', killedAt);

it('an event that arrived once is no duplicate', () => {
  const others = [{ ...arrival(killedAt, 'worker-1'), id: 'evt_2' }, { ...arrival(killedAt, 'worker-1'), id: 'evt_3' }];
  expect(countRepeats(others, [], none)).toEqual({ duplicates: 0, retries: 0, unexplained_duplicates: 0 });
});

it('an attempt of the killed worker that was in flight may be made again by another one, soon or long after', () => {
  for (const later of [20 * second, 90 * second]) {
    expect(countRepeats([arrival(killedAt - 500, 'worker-1'), arrival(killedAt + later, 'worker-2')], [kill], none)).toEqual({ duplicates: 1, retries: 0, unexplained_duplicates: 0 });
  }
});

it('an attempt of another worker at the same time may not', () => {
  expect(unexplained([arrival(killedAt - 500, 'worker-2'), arrival(killedAt + 20 * second, 'worker-1')], [kill])).toBe(1);
});

it('an attempt of the killed worker long before it was killed may not, and neither one of the process after it', () => {
  expect(unexplained([arrival(killedAt - 11 * second, 'worker-1'), arrival(killedAt + 9 * second, 'worker-2')], [kill])).toBe(1);
  expect(unexplained([arrival(killedAt + 5 * second, 'worker-1'), arrival(killedAt + 25 * second, 'worker-2')], [kill])).toBe(1);
});

it('one attempt in flight explains one repeat', () => {
  const arrivals = [arrival(killedAt - 500, 'worker-1'), arrival(killedAt + 20 * second, 'worker-2'), arrival(killedAt + 41 * second, 'worker-3')];
  expect(countRepeats(arrivals, [kill], none)).toEqual({ duplicates: 2, retries: 0, unexplained_duplicates: 1 });
});

it('while kill follows kill, a repeat between two workers that were not killed is unexplained', () => {
  const kills = ['worker-1', 'worker-3', 'api-1'].map((name, nth) => inFlightAtEnd(name, killedAt + nth * 6 * second));
  expect(unexplained([arrival(killedAt + 3 * second, 'worker-2'), arrival(killedAt + 23 * second, 'worker-1')], kills)).toBe(1);
});

it('without Postgres no worker records, and with it again each does', () => {
  const away = withoutPostgres(['worker-1', 'worker-2'], killedAt, killedAt + 5 * second);
  expect(unexplained([arrival(killedAt + 4 * second, 'worker-2'), arrival(killedAt + 24 * second, 'worker-1')], [away])).toBe(0);
  expect(unexplained([arrival(killedAt + 6 * second, 'worker-2'), arrival(killedAt + 26 * second, 'worker-1')], [away])).toBe(1);
});

it('a worker that was cut may make late what another one has made, which no other worker may', () => {
  const healed = readLate('worker-2', killedAt);
  expect(unexplained([arrival(killedAt - 30 * second, 'worker-1'), arrival(killedAt + second, 'worker-2')], [healed])).toBe(0);
  expect(unexplained([arrival(killedAt - 30 * second, 'worker-1'), arrival(killedAt + second, 'worker-3')], [healed])).toBe(1);
});

it('an arrival whose sender is not known may be that of any worker which was disturbed then', () => {
  expect(unexplained([arrival(killedAt - 500, undefined), arrival(killedAt + 20 * second, 'worker-2')], [kill])).toBe(0);
  expect(unexplained([arrival(killedAt - 20 * second, undefined), arrival(killedAt, 'worker-2')], [kill])).toBe(1);
});

it('each failed attempt on record explains one repeat, which is a retry, and none of another event', () => {
  const arrivals = [arrival(killedAt, 'worker-1'), arrival(killedAt + 15 * second, 'worker-2'), arrival(killedAt + 45 * second, 'worker-2')];
  expect(countRepeats(arrivals, [], new Map([['evt_1', 2]]))).toEqual({ duplicates: 2, retries: 2, unexplained_duplicates: 0 });
  expect(countRepeats(arrivals, [], new Map([['evt_1', 1], ['evt_2', 5]]))).toEqual({ duplicates: 2, retries: 1, unexplained_duplicates: 1 });
});

it('what a disturbance explains uses up no failed attempt', () => {
  const arrivals = [arrival(killedAt - 500, 'worker-1'), arrival(killedAt + 20 * second, 'worker-2'), arrival(killedAt + 50 * second, 'worker-2')];
  expect(unexplained(arrivals, [kill], 1)).toBe(0);
});
