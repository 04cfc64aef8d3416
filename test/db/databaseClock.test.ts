import { DatabaseClock } from '../../db/databaseClock';

it('shows the time of Postgres by what arrived soonest, and follows a clock that was set back within two minutes', () => {
  let steady = 5_000;
  const clock = new DatabaseClock(() => steady);
  const passes = (ms: number): void => {
    steady += ms;
  };
  const hour = Date.parse('2026-11-20T10:00:00Z');
  const observe = (ms: number): void => clock.observe(new Date(hour + ms));
  const shown = (): number => clock.now().getTime() - hour;
  observe(0);
  expect(shown()).toBe(0);
  passes(100);
  // What took 40 ms to arrive changes nothing.
  observe(60);
  expect(shown()).toBe(100);
  // What took less than the first one does.
  observe(105);
  expect(shown()).toBe(105);
  for (let minute = 0; minute < 3; minute += 1) {
    observe(105 - 30_000 + minute * 60_000);
    passes(60_000);
  }
  expect(shown()).toBe(105 - 30_000 + 180_000);
});
