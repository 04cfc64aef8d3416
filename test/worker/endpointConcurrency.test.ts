import fc from 'fast-check';
import { EndpointConcurrency, type AttemptSignal } from '../../worker/sender/endpointConcurrency';
import type { EndpointReference } from '../../db/repositories/webhooks/endpoints';

const owner = (institution: number, endpoint: number): EndpointReference => ({ endpointId: `we_${institution}_${endpoint}`, institutionId: `ins_${institution}` });

const fill = (lanes: EndpointConcurrency, owners: readonly EndpointReference[]): EndpointReference[] => {
  const taken: EndpointReference[] = [];
  for (const [endpointId, places] of lanes.freeSlots(owners)) {
    const taker = owners.find((known) => known.endpointId === endpointId);
    for (let nth = 0; taker !== undefined && nth < places; nth += 1) {
      lanes.acquire(taker);
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
      const lanes = new EndpointConcurrency();
      let held: EndpointReference[] = [];
      for (const round of rounds) {
        held.push(...fill(lanes, owners));
        expect(lanes.inFlight).toBe(held.length);
        expect(held.length).toBeLessThanOrEqual(512);
        const kept = Math.floor(held.length * round.part);
        for (const released of held.slice(kept)) lanes.release(released, round.signal);
        held = held.slice(0, kept);
      }
    }),
  );
});

it('leaves slots to others, regardless of how many endpoints of one institution hang with wide lanes', () => {
  const lanes = new EndpointConcurrency();
  const greedy = Array.from({ length: 20 }, (_, endpoint) => owner(1, endpoint));
  for (let round = 0; round < 40; round += 1) {
    for (const taken of fill(lanes, greedy)) lanes.release(taken, 'quick');
  }
  for (let round = 0; round < 10; round += 1) fill(lanes, greedy);
  expect(lanes.inFlight).toBeLessThanOrEqual(128);
  expect(lanes.freeSlots([owner(2, 1)]).get('we_2_1')).toBe(4);
});

it('leaves places to others while 100 endpoints of 100 institutions hang at once', () => {
  const lanes = new EndpointConcurrency();
  const hanging = Array.from({ length: 100 }, (_, institution) => owner(institution, 1));
  for (let round = 0; round < 10; round += 1) fill(lanes, hanging);
  expect(lanes.inFlight).toBe(400);
  expect(lanes.freeSlots([owner(200, 1)]).get('we_200_1')).toBe(4);
});

it('widens by quick successes to 64 and halves by a rejection', () => {
  const lanes = new EndpointConcurrency();
  const one = owner(1, 1);
  lanes.acquire(one);
  for (let nth = 0; nth < 100; nth += 1) {
    lanes.acquire(one);
    lanes.release(one, 'quick');
  }
  expect(lanes.freeSlots([one]).get(one.endpointId)).toBe(63);
  lanes.acquire(one);
  lanes.release(one, 'refused');
  expect(lanes.freeSlots([one]).get(one.endpointId)).toBe(31);
});

it('keeps what a lane has learned while it is empty, of the 2,000 that were used last', () => {
  const lanes = new EndpointConcurrency();
  const use = (one: EndpointReference, signal: AttemptSignal) => {
    lanes.acquire(one);
    lanes.release(one, signal);
  };
  for (let nth = 0; nth < 60; nth += 1) use(owner(1, 1), 'quick');
  use(owner(1, 2), 'refused');
  expect([...lanes.freeSlots([owner(1, 1), owner(2, 2)])]).toEqual([['we_1_1', 64], ['we_2_2', 4]]);
  expect(lanes.freeSlots([owner(1, 2)]).get('we_1_2')).toBe(2);
  for (let other = 0; other < 2_000; other += 1) use(owner(3, other), 'quick');
  expect(lanes.freeSlots([owner(1, 1)]).get('we_1_1')).toBe(4);
});
