import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { projectRoot } from '../../../local/projectRoot';
import { dayMs, partitionsFixture } from '../../support/partitions';

const fixture = partitionsFixture();

/** Runs `npm run migrate -- partitions` with values as a role, and returns what it writes. */
const runAs = async (migrationUrl: string, ...values: string[]): Promise<string> => {
  const { databaseUrl } = fixture.api.stack;
  const { stdout } = await promisify(execFile)(process.execPath, ['--require', './test/support/compileSource.js', 'worker/migrateMain.ts', 'partitions', ...values], {
    cwd: projectRoot(),
    env: { ...process.env, DATABASE_URL: databaseUrl, MIGRATION_DATABASE_URL: migrationUrl },
  });
  return stdout;
};

const run = (...values: string[]): Promise<string> => runAs(fixture.api.stack.ownerDatabaseUrl, ...values);

/** The bounds of the partitions of events, oldest first. */
const bounds = async (): Promise<{ since: Date; until: Date }[]> =>
  (await fixture.owner.query<{ since: Date; until: Date }>("SELECT time_of_id(since_id) AS since, time_of_id(until_id) AS until FROM partitions_of('events') ORDER BY until_id")).rows;

describe('npm run migrate -- partitions', () => {
  it('sets the period of the next partitions and makes them, from where those that are there end', async () => {
    await fixture.keep();
    const hours = await bounds();
    expect(await run('events', 'day')).toMatch(/^events: a partition for each day, kept for 30 days 01:00:00, \d+ of them, the last until \d{4}-\d\d-\d\d 00:00 UTC\n$/);
    const withDays = await bounds();
    expect(withDays.slice(0, hours.length)).toEqual(hours);
    expect(withDays[hours.length]?.since).toEqual(hours.at(-1)?.until);
    expect((withDays.at(-1)?.until.getTime() ?? 0) - Date.now()).toBeGreaterThan(3 * dayMs);
    expect(await run('events', 'month')).toContain('events: a partition for each month,');
    const withMonths = await bounds();
    expect(withMonths.slice(0, withDays.length)).toEqual(withDays);
    expect(withMonths.map(({ since }) => since).slice(1)).toEqual(withMonths.map(({ until }) => until).slice(0, -1));
    expect(withMonths.at(-1)?.until.getUTCDate()).toBe(1);
    await fixture.keep();
    expect(await bounds()).toEqual(withMonths);
  });

  it('without values shows every partitioned table and changes nothing', async () => {
    const before = await bounds();
    const lines = (await run()).trimEnd().split('\n');
    expect(lines.map((line) => line.split(':')[0])).toEqual(['attempt_events', 'audit_log', 'disclosures', 'events', 'webhook_attempts', 'webhook_deliveries']);
    expect(lines[0]).toMatch(/^attempt_events: a partition for each hour, kept for ever, /);
    expect(await bounds()).toEqual(before);
  });

  it('leaves to the daily pass what others hold the locks of, and says so', async () => {
    await fixture.owner.query('BEGIN');
    await fixture.owner.query('LOCK TABLE events IN SHARE MODE');
    try {
      expect(await run('events', 'day')).toContain('Others hold the locks that its next partition needs: the daily pass makes it.');
    } finally {
      await fixture.owner.query('ROLLBACK');
    }
    expect(await bounds()).toEqual([]);
    await fixture.keep();
    expect((await bounds()).length).toBeGreaterThan(3);
  });

  it('is refused to the role of the service, which may only look', async () => {
    const { databaseUrl } = fixture.api.stack;
    await expect(runAs(databaseUrl, 'events', 'day')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('MIGRATION_DATABASE_URL has to be its address') });
    expect(await runAs(databaseUrl)).toContain('events: a partition for each hour,');
  });

  it.each([
    [['events'], 'Usage: migrate partitions [<table> day|week|month]'],
    [['events', 'hour'], 'Usage: migrate partitions [<table> day|week|month]'],
    [['events', 'day', 'month'], 'Usage: migrate partitions [<table> day|week|month]'],
    [['students', 'day'], 'There is no partitioned table students: they are attempt_events, audit_log, disclosures, events, webhook_attempts, webhook_deliveries'],
  ])('refuses %j and says what would be right', async (values, message) => {
    await expect(run(...values)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  });
});
