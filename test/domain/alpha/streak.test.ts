import fc from 'fast-check';
import { currentStreak, withToday, type Streak } from '../../../domain/alpha/streak';
import { lastDays, localDay } from '../../../lib/timeZone';

/** Zones with their peculiar days: clocks that change, and Apia, which left out the 30th of December 2011. */
const zones = ['Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'Asia/Kolkata', 'UTC'];
const hour = 3_600_000;

/** Spans in which clocks change somewhere. */
const spans = ['2011-12-18T00:00:00Z', '2026-03-01T00:00:00Z', '2026-03-20T00:00:00Z', '2026-10-20T00:00:00Z', '2026-10-28T00:00:00Z'];

const wallClocks = Object.fromEntries(zones.map((zone) => [zone, new Intl.DateTimeFormat('sv-SE', { timeZone: zone })]));

/** The calendar day in the words of a country that writes it so, another way than the service's. */
const wallDay = (zone: string, moment: number): string => wallClocks[zone]?.format(moment) ?? '';

const calendars = new Map<string, string[]>();

/** Every day that a zone has within some weeks, in order, found by asking each quarter of an hour. */
function calendar(zone: string, from: number): string[] {
  const name = `${zone} ${from}`;
  const known = calendars.get(name);
  if (known !== undefined) return known;
  const days: string[] = [];
  calendars.set(name, days);
  for (let moment = from - 3 * 24 * hour; moment < from + 40 * 24 * hour; moment += hour / 4) {
    const day = wallDay(zone, moment);
    if (day !== days.at(-1)) days.push(day);
  }
  return days;
}

/** The longest run of neighbours in the calendar that ends with this day, all of them met. */
function runUpTo(days: readonly string[], met: ReadonlySet<string>, last: string): number {
  let length = 0;
  for (let nth = days.indexOf(last); nth >= 0 && met.has(days[nth] ?? ''); nth -= 1) length += 1;
  return length;
}

const beginning: Streak = { streak_days: 0, longest_streak_days: 0, last_met_day: null };

it('whenever targets are met, in every zone, the streak is the run of met days up to today or yesterday, and the longest is kept', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom(...spans),
      fc.array(fc.record({ after: fc.integer({ min: 0, max: 40 * 60 }), meets: fc.boolean() }), { minLength: 1, maxLength: 24 }),
      (zone, span, steps) => {
        const from = Date.parse(span);
        const days = calendar(zone, from);
        const met = new Set<string>();
        let streak = beginning;
        let longest = 0;
        let moment = from;
        for (const { after, meets } of steps) {
          moment += after * 60_000;
          if (moment > from + 30 * 24 * hour) break;
          const [today = '', yesterday = ''] = lastDays(zone, new Date(moment), 2);
          expect(today).toBe(wallDay(zone, moment));
          if (meets) {
            met.add(today);
            streak = withToday(streak, { today, yesterday });
          }
          const before = days[days.indexOf(today) - 1] ?? '';
          const now = Math.max(runUpTo(days, met, today), runUpTo(days, met, before));
          longest = Math.max(longest, now);
          expect([currentStreak(streak, { yesterday }), streak.longest_streak_days]).toEqual([now, longest]);
        }
      },
    ),
    { numRuns: 300 },
  );
});

it.each(zones)('the last days of %s are those of its calendar, none left out and none twice', (zone) => {
  for (const span of spans) {
    const days = calendar(zone, Date.parse(span));
    for (let moment = Date.parse(span); moment < Date.parse(span) + 20 * 24 * hour; moment += 7 * hour) {
      const today = days.indexOf(wallDay(zone, moment));
      expect(lastDays(zone, new Date(moment), 3)).toEqual([days[today], days[today - 1], days[today - 2]]);
    }
  }
});

it.each([
  ['Europe/Berlin', '2026-03-28T22:59:59.999Z', '2026-03-28'],
  ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-30'],
  ['America/New_York', '2026-11-01T03:59:59Z', '2026-10-31'],
  ['America/New_York', '2026-11-02T04:59:59Z', '2026-11-01'],
  ['Asia/Kolkata', '2026-11-20T18:30:00Z', '2026-11-21'],
  ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31'],
])('in %s, %s is of %s', (zone, moment, day) => {
  expect(localDay(zone, new Date(moment))).toBe(day);
});

it('a clock that goes back over midnight neither counts a day twice nor breaks the streak', () => {
  const after = withToday(withToday(beginning, { today: '2026-11-20', yesterday: '2026-11-19' }), { today: '2026-11-21', yesterday: '2026-11-20' });
  expect(withToday(after, { today: '2026-11-20', yesterday: '2026-11-19' })).toBe(after);
  expect(currentStreak(after, { yesterday: '2026-11-19' })).toBe(2);
});
