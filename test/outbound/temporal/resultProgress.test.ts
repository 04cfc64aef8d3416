import { countsOfResult, progressOfResult } from '../../../outbound/temporal/resultProgress';
import type { bulkProvisioning, bulkReplay, endpointRecovery, examNotification, institutionOffboarding, personErasure, reseal, rowFill, weeklyReportLetters } from '../../../workflows';
import { workflowsWithProgress } from '../../../workflows/contract';

/** A result of each workflow that counts, as its type says. */
const results: {
  bulkProvisioning: Awaited<ReturnType<typeof bulkProvisioning>>;
  bulkReplay: Awaited<ReturnType<typeof bulkReplay>>;
  endpointRecovery: Awaited<ReturnType<typeof endpointRecovery>>;
  examNotification: Awaited<ReturnType<typeof examNotification>>;
  institutionOffboarding: Awaited<ReturnType<typeof institutionOffboarding>>;
  personErasure: Awaited<ReturnType<typeof personErasure>>;
  weeklyReportLetters: Awaited<ReturnType<typeof weeklyReportLetters>>;
  reseal: Awaited<ReturnType<typeof reseal>>;
  rowFill: Awaited<ReturnType<typeof rowFill>>;
} = {
  bulkProvisioning: { created: 5, failed: 2 },
  bulkReplay: { outcome: 'endpoint_inactive', replayed: 4, total: 9 },
  endpointRecovery: { outcome: 'done', recovered: 2, total: 3 },
  examNotification: { outcome: 'gave_up', total: 9, sent: 3, refused: 2, skipped: 1 },
  institutionOffboarding: { ended: 'erased', done: 60, total: 60, erased: 900 },
  personErasure: { done: 14, total: 14, removed: 31 },
  weeklyReportLetters: { outcome: 'done', total: 3, sent: 3, refused: 0, skipped: 0 },
  reseal: { outcome: 'incomplete', keyId: 'k2', resealed: 4, total: 5, unreadable: 1, tables: { users: 4 }, unusedKeys: [] },
  rowFill: { outcome: 'done', done: 12, total: 12, filled: 7 },
};

it('the result of every counting workflow has its progress', () => {
  expect(new Set(Object.keys(results))).toEqual(workflowsWithProgress);
  expect(Object.entries(results).map(([type, result]) => progressOfResult(type, result))).toEqual([
    { done: 7, total: 7 },
    { done: 4, total: 9 },
    { done: 2, total: 3 },
    { done: 6, total: 9 },
    { done: 60, total: 60 },
    { done: 14, total: 14 },
    { done: 3, total: 3 },
    { done: 4, total: 5 },
    { done: 12, total: 12 },
  ]);
});

it('a result that does not tell is not taken for none', () => {
  expect(progressOfResult('bulkReplay', { outcome: 'done', replayed: 4 })).toBeNull();
  expect(progressOfResult('bulkReplay', null)).toBeNull();
  expect(progressOfResult('attemptExpiry', { total: 1 })).toBeNull();
});

it('the counts of a result are its numbers by their names, and nothing else of it', () => {
  expect(countsOfResult(results.bulkReplay)).toEqual({ replayed: 4, total: 9 });
  expect([countsOfResult({ outcome: 'done' }), countsOfResult('done'), countsOfResult(undefined)]).toEqual([null, null, null]);
});
