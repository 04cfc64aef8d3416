import { formatDelay, formatSpan } from '../../lib/span';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

it.each([
  [365 * day - minute, '365 d'],
  [364.4 * day, '364 d'],
  [14 * day - 5 * hour, '14 d'],
  [3 * day - minute, '3 d'],
  [2 * day - minute, '2 d'],
  [2 * day - 50 * minute, '1 d 23 h'],
  [day + 40 * minute, '1 d 1 h'],
  [day - minute, '1 d'],
  [12 * hour - minute, '12 h'],
  [3 * hour - 20_000, '3 h'],
  [90 * minute, '1 h 30 min'],
  [2 * hour - 20_000, '2 h'],
  [hour - 20_000, '1 h'],
  [59 * minute, '59 min'],
  [30_400, '30 s'],
  [400, '0 s'],
])('%d ms are rounded to %s, in either direction of time', (ms, words) => {
  expect([formatSpan(ms), formatSpan(-ms)]).toEqual([words, words]);
});

it.each([
  [158 * 1_000, '2 min 38 s'],
  [60_000, '1 min'],
  [59_400, '59 s'],
  [7 * minute, '7 min'],
  [10 * minute + 20_000, '10 min'],
  [90 * minute, '1 h 30 min'],
])('a delay of %d ms is %s: to the second below ten minutes', (ms, words) => {
  expect(formatDelay(ms)).toBe(words);
});
