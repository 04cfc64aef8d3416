import fc from 'fast-check';
import { lastWholeWeek, weekOf, formatWeek } from '../../../domain/reports/week';

const hourMs = 3_600_000;
const quarterMs = hourMs / 4;

/** Clocks that change at night and at midnight, by half an hour too; half and quarter hours; zones that left a day out; the ends of the world. */
const zones = [
  'UTC', 'Europe/Berlin', 'America/New_York', 'America/St_Johns', 'America/Sao_Paulo', 'America/Havana', 'Australia/Lord_Howe', 'Asia/Kolkata',
  'Asia/Kathmandu', 'Asia/Tehran', 'Asia/Beirut', 'Africa/Cairo', 'Pacific/Chatham', 'Pacific/Apia', 'Pacific/Kwajalein', 'Pacific/Kiritimati', 'Etc/GMT+12',
];

const weekdays = new Map(zones.map((zone) => [zone, new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: zone })]));
const weekdayIn = (zone: string, moment: number): string => weekdays.get(zone)?.format(moment) ?? '';
const dayIn = (zone: string, moment: number): string => new Intl.DateTimeFormat('sv', { timeZone: zone }).format(moment);

/** Whether a Monday begins at this moment: by the clock on the wall it is Monday, and a quarter of an hour ago it was not. */
const mondayBegins = (zone: string, moment: number): boolean => weekdayIn(zone, moment) === 'Monday' && weekdayIn(zone, moment - quarterMs) !== 'Monday';

/** The last moment up to this one at which a Monday began: found by walking back, a quarter of an hour at a time. */
function lastMonday(zone: string, upTo: number): number {
  let moment = Math.floor(upTo / quarterMs) * quarterMs;
  while (!mondayBegins(zone, moment)) moment -= quarterMs;
  return moment;
}

const moments = fc.date({ min: new Date('1990-01-01'), max: new Date('2037-01-01'), noInvalidDate: true });

it('the last whole week is the one that a walk back along the clock on the wall finds, in every zone and whenever clocks change', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), moments, (zone, now) => {
      const ends = lastMonday(zone, now.getTime());
      const starts = lastMonday(zone, ends - quarterMs);
      expect(lastWholeWeek(zone, now)).toEqual({ monday: dayIn(zone, starts), startsAt: new Date(starts), endsAt: new Date(ends) });
    }),
    { numRuns: 250 },
  );
});

it('each week begins where the one before it ends, and none is shorter or longer than a change of clocks or a day left out makes it', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), moments, (zone, now) => {
      const week = lastWholeWeek(zone, now);
      const before = lastWholeWeek(zone, new Date(week.endsAt.getTime() - 1));
      expect([before.endsAt, weekOf(zone, week.monday)]).toEqual([week.startsAt, week]);
      const hours = (week.endsAt.getTime() - week.startsAt.getTime()) / hourMs;
      expect([167, 167.5, 168, 168.5, 169, 168 - 24]).toContain(hours);
    }),
    { numRuns: 200 },
  );
});

it.each([
  ['Europe/Berlin', '2026-03-23', 167, '2026-03-22T23:00:00.000Z'],
  ['Europe/Berlin', '2026-10-19', 169, '2026-10-18T22:00:00.000Z'],
  ['America/New_York', '2026-03-02', 167, '2026-03-02T05:00:00.000Z'],
  ['America/New_York', '2026-10-26', 169, '2026-10-26T04:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-09-28', 167.5, '2026-09-27T13:30:00.000Z'],
  ['Asia/Kathmandu', '2026-11-16', 168, '2026-11-15T18:15:00.000Z'],
  // Friday 30 December was left out; Monday 21 March began at 1 o'clock.
  ['Pacific/Apia', '2011-12-26', 144, '2011-12-26T10:00:00.000Z'],
  ['Asia/Tehran', '2016-03-21', 167, '2016-03-20T20:30:00.000Z'],
])('in %s the week of %s has %s hours and begins at %s', (zone, monday, hours, startsAt) => {
  const week = weekOf(zone, monday);
  expect([(week.endsAt.getTime() - week.startsAt.getTime()) / hourMs, week.startsAt.toISOString()]).toEqual([hours, startsAt]);
});

it.each([
  ['2026-11-22T22:59:59.999Z', '2026-11-09'],
  ['2026-11-22T23:00:00.000Z', '2026-11-16'],
])('at %s the last whole week in Berlin is that of %s', (now, monday) => {
  expect(lastWholeWeek('Europe/Berlin', new Date(now)).monday).toBe(monday);
});

it('when the reports are made, Mondays at 12:10 UTC, the week that ended the day before is over in every zone', () => {
  for (const zone of zones) expect(lastWholeWeek(zone, new Date('2026-11-23T12:10:00Z')).monday).toBe('2026-11-16');
});

it.each([
  ['2026-11-16', '16 – 22 November 2026'],
  ['2026-11-30', '30 November – 6 December 2026'],
  ['2026-12-28', '28 December 2026 – 3 January 2027'],
])('emails show the week of %s as %s', (monday, text) => {
  expect(formatWeek(monday)).toBe(text);
});
