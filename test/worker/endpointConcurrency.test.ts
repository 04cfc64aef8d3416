import fc from 'fast-check';
import { EndpointConcurrency, type AttemptSignal } from '../../worker/sender/endpointConcurrency';
import type { EndpointReference } from '../../db/repositories/webhooks/endpoints';

const owner = (institution: number, endpoint: number): EndpointReference => ({ endpointId: `we_${institution}_${endpoint}`, institutionId: `ins_${institution}` });

const fill = (concurrency: EndpointConcurrency, owners: readonly EndpointReference[]): EndpointReference[] => {
  const taken: EndpointReference[] = [];
  for (const [endpointId, slots] of concurrency.freeSlots(owners)) {
    const taker = owners.find((known) => known.endpointId === endpointId);
    for (let nth = 0; taker !== undefined && nth < slots; nth += 1) {
      concurrency.acquire(taker);
      taken.push(taker);
    }
  }
  return taken;
};

it('never has more than 512 in the process, for any acquisitions and releases', () => {
  const owners = Array.from({ length: 8 }, (_, institution) => Array.from({ length: 20 }, (__, endpoint) => owner(institution, endpoint))).flat();
  const signal = fc.constantFrom<AttemptSignal>('quick', 'slow', 'refused');
  fc.assert(
    fc.property(fc.array(fc.record({ signal, part: fc.double({ min: 0, max: 1, noNaN: true }) }), { maxLength: 60 }), (rounds) => {
      const concurrency = new EndpointConcurrency();
      let held: EndpointReference[] = [];
      for (const round of rounds) {
        held.push(...fill(concurrency, owners));
        expect(concurrency.inFlight).toBe(held.length);
        expect(held.length).toBeLessThanOrEqual(512);
        const kept = Math.floor(held.length * round.part);
        for (const released of held.slice(kept)) concurrency.release(released, round.signal);
        held = held.slice(0, kept);
      }
    }),
  );
});

it('leaves slots to others, regardless of how many endpoints of one institution hang with high limits', () => {
  const concurrency = new EndpointConcurrency();
  const greedy = Array.from({ length: 20 }, (_, endpoint) => owner(1, endpoint));
  for (let round = 0; round < 40; round += 1) {
    for (const taken of fill(concurrency, greedy)) concurrency.release(taken, 'quick');
  }
  for (let round = 0; round < 10; round += 1) fill(concurrency, greedy);
  expect(concurrency.inFlight).toBeLessThanOrEqual(128);
  expect(concurrency.freeSlots([owner(2, 1)]).get('we_2_1')).toBe(4);
});

it('leaves slots to others while 100 endpoints of 100 institutions hang at once', () => {
  const concurrency = new EndpointConcurrency();
  const hanging = Array.from({ length: 100 }, (_, institution) => owner(institution, 1));
  for (let round = 0; round < 10; round += 1) fill(concurrency, hanging);
  expect(concurrency.inFlight).toBe(400);
  expect(concurrency.freeSlots([owner(200, 1)]).get('we_200_1')).toBe(4);
});

it('widens by quick successes to 64 and halves by a rejection', () => {
  const concurrency = new EndpointConcurrency();
  const one = owner(1, 1);
  concurrency.acquire(one);
  for (let nth = 0; nth < 100; nth += 1) {
    concurrency.acquire(one);
    concurrency.release(one, 'quick');
  }
  expect(concurrency.freeSlots([one]).get(one.endpointId)).toBe(63);
  concurrency.acquire(one);
  concurrency.release(one, 'refused');
  expect(concurrency.freeSlots([one]).get(one.endpointId)).toBe(31);
});

it('keeps the limit of an endpoint without attempts in flight, of the 2,000 used last', () => {
  const concurrency = new EndpointConcurrency();
  const use = (one: EndpointReference, signal: AttemptSignal) => {
    concurrency.acquire(one);
    concurrency.release(one, signal);
  };
  for (let nth = 0; nth < 60; nth += 1) use(owner(1, 1), 'quick');
  use(owner(1, 2), 'refused');
  expect([...concurrency.freeSlots([owner(1, 1), owner(2, 2)])]).toEqual([['we_1_1', 64], ['we_2_2', 4]]);
  expect(concurrency.freeSlots([owner(1, 2)]).get('we_1_2')).toBe(2);
  for (let other = 0; other < 2_000; other += 1) use(owner(3, other), 'quick');
  expect(concurrency.freeSlots([owner(1, 1)]).get('we_1_1')).toBe(4);
});

it('claims nothing for an endpoint while 20 of its failures are not written, and at once when one of them is', () => {
  const concurrency = new EndpointConcurrency();
  const failing = owner(1, 1);
  const other = owner(1, 2);
  for (let nth = 0; nth < 19; nth += 1) concurrency.addUnwrittenFailure(failing.endpointId);
  expect(concurrency.freeSlots([failing]).get(failing.endpointId)).toBe(4);
  concurrency.addUnwrittenFailure(failing.endpointId);
  expect([...concurrency.freeSlots([failing, other]).keys()]).toEqual([other.endpointId]);
  expect(concurrency.removeUnwrittenFailure(failing.endpointId)).toBe(true);
  expect(concurrency.freeSlots([failing]).get(failing.endpointId)).toBe(4);
  expect(concurrency.removeUnwrittenFailure(failing.endpointId)).toBe(false);
});
