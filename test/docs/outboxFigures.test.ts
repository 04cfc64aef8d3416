import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { concurrencyLimits, quickResponseMs } from '../../worker/outbox/adaptiveConcurrency';
import { leaseMs, maxWaitMs } from '../../domain/outbox/workflowEngine';
import { sendDeadlineMs } from '../../outbound/temporal/engine';

const decision = readFileSync(join(__dirname, '../../docs/decisions/0011-workflow-outbox.md'), 'utf8');
const said = (pattern: RegExp): number[] => (pattern.exec(decision) ?? []).slice(1).map(Number);

// The figures that decision 11 says, read from the code.
it.each([
  ['the lease of a row, in s', /leased for (\d+) s\b/, [leaseMs / 1_000]],
  ['the time of a call, in ms', /Each call has (\d+) ms\b/, [sendDeadlineMs]],
  ['calls side by side', /side by side, (\d+) to (\d+) of them/, [concurrencyLimits.min, concurrencyLimits.max]],
  ['a quick answer, in ms', /each answer within (\d+) ms/, [quickResponseMs]],
  ['the longest wait of a row that alone is not answered, in s', /up to (\d+) s, so that/, [maxWaitMs.unreachable / 1_000]],
])('decision 11 says %s as the code has it', (_what, pattern, figures) => {
  expect(said(pattern)).toEqual(figures);
});

it('decision 11 says the longest wait of a row that is refused as the code has it', () => {
  expect(decision).toContain('4 s … up to a minute.');
  expect(maxWaitMs.refused).toBe(60_000);
});
