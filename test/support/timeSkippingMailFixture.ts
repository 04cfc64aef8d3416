import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Domain, Transaction } from '../../domain/context';
import { transact } from '../../domain/transact';
import { createMailer, type Mailer } from '../../outbound/mail/mailer';
import { systemCaller, type TestInstitution } from './api';
import { openPostOffice, type PostOffice } from './stubMailServer';
import { skippedTime, type SkippedTime } from './timeSkippingFixture';

const dayMs = 24 * 3_600_000;

/** Workflows whose waiting takes no time, the post office that their letters go to, and an institution, new for each test. */
export interface SkippedLetters extends SkippedTime {
  readonly north: TestInstitution;
  /** Before each test it has taken nothing, and takes everything. */
  readonly office: PostOffice;
  /** The time as workflows know it. */
  now(): Promise<Date>;
  /** Runs a command of the institution by that time. */
  command<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  sql<Row extends object>(text: string, values: unknown[]): Promise<Row[]>;
  /** Makes an invitation one of this moment, by that time, which expires after so many days. */
  invitedNow(table: 'guardian_links' | 'developers', id: string, days: number): Promise<void>;
  /** The Message-IDs of the letters that have gone to an address, in their order. */
  takenOf(address: string): string[];
}

const keyOf = { guardian_links: 'id', developers: 'user_id' } as const;

/** Opens all that for the tests of the file that calls it, with these activities. */
export function skippedLetters(taskQueue: string, activitiesWith: (means: { domain: Domain; mailer: Mailer }) => object): SkippedLetters {
  let office: PostOffice;
  let mailer: Mailer;
  let north: TestInstitution;

  beforeAll(async () => {
    // A mail server that is away for days fails hundreds of tries.
    Runtime.install({ logger: new DefaultLogger('ERROR') });
    office = await openPostOffice();
    mailer = createMailer({ smtpUrl: office.url, from: 'North <no-reply@north.example>' });
  });

  const skipped = skippedTime(taskQueue, ({ domain }) => activitiesWith({ domain, mailer }));

  beforeEach(async () => {
    north = await skipped.api.institution();
    office.answer = () => 250;
    office.taken.length = 0;
  });

  afterAll(async () => {
    await mailer.close();
    await office.close();
  });

  const now = async (): Promise<Date> => new Date(await skipped.environment.currentTimeMs());
  const sql: SkippedLetters['sql'] = (text, values) => skipped.api.api.domain.database.sql(text, values);
  return {
    get environment() {
      return skipped.environment;
    },
    get api() {
      return skipped.api;
    },
    get receiver() {
      return skipped.receiver;
    },
    get north() {
      return north;
    },
    get office() {
      return office;
    },
    now,
    command: async (work) => transact(skipped.api.api.domain, systemCaller(north.id, await now()), work),
    sql,
    invitedNow: async (table, id, days) => {
      const at = await now();
      await sql(`UPDATE ${table} SET invited_at = $2, expires_at = $3 WHERE ${keyOf[table]} = $1`, [id, at, new Date(at.getTime() + days * dayMs)]);
    },
    takenOf: (address) => office.taken.filter(({ to }) => to === address).map(({ messageId }) => messageId),
  };
}
