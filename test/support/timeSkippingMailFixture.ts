import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Domain, Transaction } from '../../domain/context';
import { transact } from '../../domain/transact';
import { createMailer, type Mailer } from '../../outbound/mail/mailer';
import { systemCaller, type TestInstitution } from './api';
import { startStubMailServer, type StubMailServer } from './stubMailServer';
import { timeSkippingFixture, type TimeSkippingFixture } from './timeSkippingFixture';

const dayMs = 24 * 3_600_000;

/** Workflows whose waiting takes no time, the post office that their letters go to, and an institution, new for each test. */
export interface TimeSkippingMailFixture extends TimeSkippingFixture {
  readonly institution: TestInstitution;
  /** Before each test it has taken nothing, and takes everything. */
  readonly mailServer: StubMailServer;
  /** The time as workflows know it. */
  now(): Promise<Date>;
  /** Runs a command of the institution by that time. */
  command<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  sql<Row extends object>(text: string, values: unknown[]): Promise<Row[]>;
  /** Makes an invitation one of this moment, by that time, which expires after so many days. */
  setInvitedNow(table: 'guardian_links' | 'developers', id: string, days: number): Promise<void>;
  /** The Message-IDs of the letters that have gone to an address, in their order. */
  messageIdsTo(address: string): string[];
}

const idColumns = { guardian_links: 'id', developers: 'user_id' } as const;

/** Opens all that for the tests of the file that calls it, with these activities. */
export function timeSkippingMailFixture(taskQueue: string, activitiesWith: (means: { domain: Domain; mailer: Mailer }) => object): TimeSkippingMailFixture {
  let mailServer: StubMailServer;
  let mailer: Mailer;
  let institution: TestInstitution;

  beforeAll(async () => {
    // A mail server that is away for days fails hundreds of tries.
    Runtime.install({ logger: new DefaultLogger('ERROR') });
    mailServer = await startStubMailServer();
    mailer = createMailer({ smtpUrl: mailServer.url, from: 'North <no-reply@north.example>' });
  });

  const timeSkipping = timeSkippingFixture(taskQueue, ({ domain }) => activitiesWith({ domain, mailer }));

  beforeEach(async () => {
    institution = await timeSkipping.api.institution();
    mailServer.replyCode = () => 250;
    mailServer.accepted.length = 0;
  });

  afterAll(async () => {
    await mailer.close();
    await mailServer.close();
  });

  const now = async (): Promise<Date> => new Date(await timeSkipping.environment.currentTimeMs());
  const sql: TimeSkippingMailFixture['sql'] = (text, values) => timeSkipping.api.api.domain.database.sql(text, values);
  return {
    get environment() {
      return timeSkipping.environment;
    },
    get api() {
      return timeSkipping.api;
    },
    get receiver() {
      return timeSkipping.receiver;
    },
    get institution() {
      return institution;
    },
    get mailServer() {
      return mailServer;
    },
    now,
    command: async (work) => transact(timeSkipping.api.api.domain, systemCaller(institution.id, await now()), work),
    sql,
    setInvitedNow: async (table, id, days) => {
      const at = await now();
      await sql(`UPDATE ${table} SET invited_at = $2, expires_at = $3 WHERE ${idColumns[table]} = $1`, [id, at, new Date(at.getTime() + days * dayMs)]);
    },
    messageIdsTo: (address) => mailServer.accepted.filter(({ to }) => to === address).map(({ messageId }) => messageId),
  };
}
