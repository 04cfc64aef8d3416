import type { CallFigures } from './figures';
import { brokenRules, brokenRulesOfLostStore, type Seen } from './rules';

const calls: CallFigures = { requests: 100, p50_ms: 5, p99_ms: 20, asked_to_retry: '', other_5xx: '', other_5xx_s: 0, no_write_s: 0.2, failed: 0 };
const seen: Seen = {
  scenario: 'a scenario', ...calls, events: 60, lost_events: 0, wrong_events: 0, duplicates: 1, retries: 1, unexplained_duplicates: 0, early_leases: 0, lost_commits: 0, double_effects: 0, settled: true,
};

it('a scenario in which all went well breaks no rule, with 503s that ask to come back as well', () => {
  expect(brokenRules(seen)).toEqual([]);
  expect(brokenRules({ ...seen, asked_to_retry: '12 × 503' })).toEqual([]);
});

it.each<Partial<Seen>>([
  { events: 0 }, { lost_events: 1 }, { wrong_events: 1 }, { unexplained_duplicates: 1 }, { early_leases: 1 }, { lost_commits: 1 }, { double_effects: 1 }, { failed: 1 },
  { other_5xx: '1 × 500', other_5xx_s: 0 }, { no_write_s: 31 }, { settled: false },
])('%j breaks one rule', (bad) => {
  expect(brokenRules({ ...seen, ...bad })).toHaveLength(1);
});

it('where something is killed, other answers of 5xx may come for as long as is said', () => {
  const cut = { ...seen, other_5xx: '8 × 0', other_5xx_s: 4.9 };
  expect(brokenRules(cut, { other5xxSeconds: 5 })).toEqual([]);
  expect(brokenRules({ ...cut, other_5xx_s: 5.1 }, { other5xxSeconds: 5 })).toHaveLength(1);
});

describe('a lost store', () => {
  const refused = { ...seen, asked_to_retry: '143 × 503' };

  it('is one that calls were refused for, and that they were not refused for afterwards', () => {
    expect(brokenRulesOfLostStore(refused, calls)).toEqual([]);
  });

  it.each<[string, Seen, Partial<CallFigures>]>([
    ['nobody was asked to come back', seen, {}],
    ['limits alone asked to come back', { ...seen, asked_to_retry: '3 × 429' }, {}],
    ['calls are refused afterwards', refused, { asked_to_retry: '1 × 503' }],
    ['calls are answered with other 5xx afterwards', refused, { other_5xx: '1 × 500' }],
    ['calls fail afterwards', refused, { failed: 1 }],
    ['there are no calls afterwards', refused, { requests: 0 }],
  ])('breaks a rule if %s', (_what, before, afterwards) => {
    expect(brokenRulesOfLostStore(before, { ...calls, ...afterwards })).toHaveLength(1);
  });
});
