import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import Redis from 'ioredis';
import { createTransport } from 'nodemailer';
import { searchAttributeNames } from '../../outbound/temporal/searchAttributes';
import { withConnection } from '../../local/programs/postgres';
import { stack, timeSkippingServerPath, type TestStack } from '../support/stack';
import { publishedAddresses } from '../support/stack/addresses';
import { timeSkippingEnvironment } from '../support/timeSkippingServer';

let own: TestStack;
beforeAll(async () => { own = await stack(); });
afterAll(() => own.stop());

test('a file has a migrated database to itself', async () => {
  const tables = await withConnection(own.databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
    return rows.map(({ name }) => name);
  });
  expect(tables).toContain('institutions');
});

test('Redis answers', async () => {
  const redis = new Redis(own.redisUrl, { keyPrefix: own.redisKeyPrefix });
  await redis.set('greeting', 'hello', 'EX', 60);
  expect(await redis.get('greeting')).toBe('hello');
  await redis.quit();
});

test('the Temporal namespace knows the search attributes and keeps histories for 30 days', async () => {
  const connection = await Connection.connect({ address: own.temporalAddress });
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: own.temporalNamespace });
  const { config } = await connection.workflowService.describeNamespace({ namespace: own.temporalNamespace });
  await connection.close();
  expect(Object.keys(customAttributes)).toEqual(expect.arrayContaining([...searchAttributeNames]));
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 24 * 60 * 60);
});

test('a mail that is sent is caught', async () => {
  const transport = createTransport(own.smtpUrl);
  await transport.sendMail({ from: 'a@school.example', to: 'b@school.example', subject: 'Prüfung', text: 'Am Montag.' });
  const caught = await own.mail.waitFor(({ subject }) => subject === 'Prüfung');
  expect(caught.to?.[0]?.address).toBe('b@school.example');
  expect(caught.text?.trim()).toBe('Am Montag.');
  await expect(own.mail.waitFor(({ subject }) => subject === 'another', 50)).rejects.toThrow('there were 1: Prüfung');
});

test('the settings are complete and take overrides', () => {
  const settings = own.settings({ logLevel: 'warn' });
  expect(settings).toMatchObject({ profile: 'test', port: 0, logLevel: 'warn' });
  expect(settings.databaseDirectUrl ?? settings.databaseUrl).toBe(own.databaseUrl);
});

/** The real server, as slow to start as on a machine that is busy with much else. */
function slow(program: string): string {
  const path = join(mkdtempSync(join(publishedAddresses().folder, 'slow-server-')), 'test-server');
  writeFileSync(path, `#!/bin/sh\nsleep 5.5\nexec "${program}" "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

test('a time-skipping server may take longer to start than the five seconds of the SDK, and skips the given time', async () => {
  const environment = await timeSkippingEnvironment(slow(timeSkippingServerPath()));
  const before = await environment.currentTimeMs();
  await environment.sleep('30 days');
  expect(await environment.currentTimeMs()).toBeGreaterThanOrEqual(before + 30 * 86_400_000);
  expect(await environment.currentTimeMs()).toBeLessThan(before + 31 * 86_400_000);
  await environment.teardown();
});

test('a time-skipping server that is not there fails at once', async () => {
  await expect(timeSkippingEnvironment('/nowhere/test-server')).rejects.toThrow(/could not be started/);
});
