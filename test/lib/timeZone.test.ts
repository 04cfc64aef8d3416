import { localDateTime, momentOfLocal } from '../../lib/timeZone';

const moment = (zone: string, local: string): string => momentOfLocal(zone, new Date(`${local}Z`)).toISOString();

it.each([
  ['Europe/Berlin', '2026-11-20T14:00:00', '2026-11-20T13:00:00.000Z'],
  ['Europe/Berlin', '2026-07-20T00:30:00', '2026-07-19T22:30:00.000Z'],
  ['America/New_York', '2026-01-31T23:59:59', '2026-02-01T04:59:59.000Z'],
  ['Asia/Kolkata', '2026-11-20T05:29:00', '2026-11-19T23:59:00.000Z'],
  ['UTC', '2026-11-20T14:00:00', '2026-11-20T14:00:00.000Z'],
])('the clocks of %s show %s at %s', (zone, local, iso) => {
  expect(moment(zone, local)).toBe(iso);
  expect(localDateTime(zone, new Date(iso))).toBe(local);
});

it('of two moments at which clocks that are set back show a time it is the first', () => {
  expect(moment('Europe/Berlin', '2026-10-25T02:30:00')).toBe('2026-10-25T00:30:00.000Z');
  expect(moment('America/New_York', '2026-11-01T01:30:00')).toBe('2026-11-01T05:30:00.000Z');
});

it('a time that clocks skip is taken as if they had not been set forward', () => {
  expect(moment('Europe/Berlin', '2026-03-29T02:30:00')).toBe('2026-03-29T01:30:00.000Z');
  expect(moment('America/New_York', '2026-03-08T02:30:00')).toBe('2026-03-08T07:30:00.000Z');
});
