import { BacklogRequests } from '../../workflows/backlogRequests';

/** How many of 3,000 deliveries that are asked for are taken. */
function taken(isBounded: boolean): number {
  const requests = new BacklogRequests(() => Promise.resolve(true), [], () => isBounded);
  const adds = Array.from({ length: 3_000 }, (_none, nth) => requests.add({ deliveryId: `whd_${nth}`, attempts: 0 }));
  expect(requests.remaining).toHaveLength(adds.filter(Boolean).length);
  return requests.remaining.length;
}

it('a backlog takes what is asked for 2,000 deliveries; as version 0.5.0 took it, of any number', () => {
  expect([taken(true), taken(false)]).toEqual([2_000, 3_000]);
});
