import { newId } from '../../domain/ids';
import type { Answer, Sent, TestInstitution } from './api';
import { appDeskOfEachTest, type AppDesk, type SignedIn } from './appFixture';
import { plantGuardian } from './examRows';

/** A person with a wallet, and what the API names them by. */
export interface Owner extends SignedIn {
  email: string;
}

/** The desk of apps, with money. */
export interface MeritDesk {
  readonly apps: AppDesk;
  readonly north: TestInstitution;
  /** Sets what is left of the institution's allowance. */
  allow(cents: number, institution?: TestInstitution): Promise<Answer>;
  /** A new student, signed in. */
  owner(): Promise<Owner>;
  /** A verified guardian of a student: the id of the person, who has no wallet. */
  guardian(studentId: string): Promise<string>;
  /** Asks for a credit; of 500 cents and a ref of its own where the body says nothing else. */
  credit(body: object, institution?: TestInstitution): Promise<Answer>;
  /** The same, which must be done. */
  credited(body: object): Promise<Answer['data']>;
  /** Asks to spend; 100 cents and a ref of its own where the body says nothing else. */
  spend(who: SignedIn, body?: object): Promise<Answer>;
  get(path: string, query?: NonNullable<Sent['query']>, institution?: TestInstitution): Promise<Answer>;
  /** What a wallet holds. */
  balance(email: string): Promise<number>;
  /** What is left of the allowance. */
  left(): Promise<number>;
  /** How many moves the ledger has. */
  moves(): Promise<number>;
}

/** A ref that nobody has used. */
export const freshRef = (): string => newId('req');

/** Fields of a ledger's item that its amount and balances are told by. */
export const amounts = ({ kind, amount_cents, balance_cents, allowance_cents }: Answer['data']): unknown[] => [kind, amount_cents, balance_cents, allowance_cents];

/** As {@link appDeskOfEachTest}, with the institution's money: its allowance is empty as each test begins. */
export function meritDeskOfEachTest(): MeritDesk {
  const apps = appDeskOfEachTest();
  const { exams } = apps;
  const get: MeritDesk['get'] = (path, query = {}, { apiKey } = exams.north) => exams.api.call('GET', path, { key: apiKey, query });
  const credit: MeritDesk['credit'] = (body, institution) => exams.call('POST', '/merits/credits', { amount_cents: 500, ref: freshRef(), ...body }, institution);
  return {
    apps,
    get north() {
      return exams.north;
    },
    allow: (allowance_cents, { id } = exams.north) => exams.api.platform('PUT', `/institutions/${id}/allowance`, { body: { allowance_cents } }),
    owner: async () => {
      const who = await apps.student();
      return { ...who, email: (await get(`/students/${who.id}`)).data.login_email };
    },
    guardian: async (studentId) => {
      const link = await plantGuardian(exams.api, exams.north, studentId, `${studentId}@guardians.example.org`);
      const [row] = await exams.sql<{ guardian_id: string }>('SELECT guardian_id FROM guardian_links WHERE id = $1', [link]);
      return row?.guardian_id ?? '';
    },
    credit,
    credited: async (body) => {
      const { status, data, body: answer } = await credit(body);
      if (status !== 200) throw new Error(`No credit: ${status} ${JSON.stringify(answer)}`);
      return data;
    },
    spend: (who, body = {}) => apps.as(who, 'POST', '/app/wallet/spend', { amount_cents: 100, ref: freshRef(), ...body }),
    get,
    balance: async (email) => (await get(`/merits/wallets/${email}`)).data.balance_cents,
    left: async () => (await get('/merits/allowance')).data.allowance_cents,
    moves: async () => (await get('/merits/ledger', { limit: 1 })).data.total,
  };
}
