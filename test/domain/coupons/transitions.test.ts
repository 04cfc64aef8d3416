import { decisionTransitions, decisionStateAt, batchStatusAt } from '../../../domain/coupons/transitions';

const now = new Date('2026-11-20T09:30:00.000Z');
const later = new Date('2026-11-20T09:30:00.001Z');

it('a decision is taken once, repeated without effect, and never taken back', () => {
  expect(decisionTransitions).toEqual({
    approved: { undecided: 'decide', approved: 'unchanged', rejected: 'conflict', expired: 'conflict' },
    rejected: { undecided: 'decide', approved: 'conflict', rejected: 'unchanged', expired: 'conflict' },
  });
});

it.each([
  ['undecided', null, later],
  ['expired', null, now],
  ['approved', 'approved', now],
  ['rejected', 'rejected', now],
] as const)('a batch is %s by its decision, and by the time while there is none', (standing, decision, expiry_date) => {
  expect(decisionStateAt({ status: 'pending', decision, expiry_date }, now)).toBe(standing);
});

it('a batch that has been ended is expired also to a call whose clock is behind', () => {
  const ended = { status: 'expired', decision: null, expiry_date: later } as const;
  expect([decisionStateAt(ended, now), batchStatusAt(ended, now)]).toEqual(['expired', 'expired']);
});

it('the status shown is expired from the expiry date on, and approved only once the codes are there', () => {
  expect(batchStatusAt({ status: 'pending', decision: null, expiry_date: later }, now)).toBe('pending');
  expect(batchStatusAt({ status: 'pending', decision: null, expiry_date: now }, now)).toBe('expired');
  expect(batchStatusAt({ status: 'pending', decision: 'approved', expiry_date: now }, now)).toBe('pending');
  expect(batchStatusAt({ status: 'approved', decision: 'approved', expiry_date: now }, now)).toBe('approved');
  expect(batchStatusAt({ status: 'rejected', decision: 'rejected', expiry_date: now }, now)).toBe('rejected');
});
