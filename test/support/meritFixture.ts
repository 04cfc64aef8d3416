import { newId } from '../../domain/ids';
import type { ApiResponse, RequestOptions, TestInstitution } from './api';
import { appFixtureForEachTest, type AppFixture, type SignedInStudent } from './appFixture';
import { seedGuardian } from './seed/guardians';

/** A person with a wallet, and what the API names them by. */
export interface WalletOwner extends SignedInStudent {
  email: string;
}

/** The desk of apps, with money. */
export interface MeritFixture {
  readonly apps: AppFixture;
  readonly institution: TestInstitution;
  /** Sets what is left of the institution's allowance. */
  setAllowance(cents: number, institution?: TestInstitution): Promise<ApiResponse>;
  /** A new student, signed in. */
  owner(): Promise<WalletOwner>;
  /** A verified guardian of a student: the id of the person, who has no wallet. */
  guardian(studentId: string): Promise<string>;
  /** Asks for a credit; of 500 cents and a ref of its own where the body says nothing else. */
  credit(body: object, institution?: TestInstitution): Promise<ApiResponse>;
  /** The same, which must be done. */
  creditSuccessfully(body: object): Promise<ApiResponse['data']>;
  /** Asks to spend; 100 cents and a ref of its own where the body says nothing else. */
  spend(who: SignedInStudent, body?: object): Promise<ApiResponse>;
  get(path: string, query?: NonNullable<RequestOptions['query']>, institution?: TestInstitution): Promise<ApiResponse>;
  /** What a wallet holds. */
  balance(email: string): Promise<number>;
  /** What is left of the allowance. */
  remainingAllowance(): Promise<number>;
  /** How many moves the ledger has. */
  moveCount(): Promise<number>;
}

/** A ref that nobody has used. */
export const newRef = (): string => newId('req');

/** Fields of a ledger's item that its amount and balances are told by. */
export const amounts = ({ kind, amount_cents, balance_cents, allowance_cents }: ApiResponse['data']): unknown[] => [kind, amount_cents, balance_cents, allowance_cents];

/** As {@link appFixtureForEachTest}, with the institution's money: its allowance is empty as each test begins. */
export function meritFixtureForEachTest(): MeritFixture {
  const apps = appFixtureForEachTest();
  const { exams } = apps;
  const get: MeritFixture['get'] = (path, query = {}, { apiKey } = exams.institution) => exams.api.call('GET', path, { key: apiKey, query });
  const credit: MeritFixture['credit'] = (body, institution) => exams.call('POST', '/merits/credits', { amount_cents: 500, ref: newRef(), ...body }, institution);
  return {
    apps,
    get institution() {
      return exams.institution;
    },
    setAllowance: (allowance_cents, { id } = exams.institution) => exams.api.platform('PUT', `/institutions/${id}/allowance`, { body: { allowance_cents } }),
    owner: async () => {
      const who = await apps.student();
      return { ...who, email: (await get(`/students/${who.id}`)).data.login_email };
    },
    guardian: async (studentId) => {
      const link = await seedGuardian(exams.api, exams.institution, studentId, `${studentId}@guardians.example.org`);
      const [row] = await exams.sql<{ guardian_id: string }>('SELECT guardian_id FROM guardian_links WHERE id = $1', [link]);
      return row?.guardian_id ?? '';
    },
    credit,
    creditSuccessfully: async (body) => {
      const { status, data, body: answer } = await credit(body);
      if (status !== 200) throw new Error(`No credit: ${status} ${JSON.stringify(answer)}`);
      return data;
    },
    spend: (who, body = {}) => apps.callAs(who, 'POST', '/app/wallet/spend', { amount_cents: 100, ref: newRef(), ...body }),
    get,
    balance: async (email) => (await get(`/merits/wallets/${email}`)).data.balance_cents,
    remainingAllowance: async () => (await get('/merits/allowance')).data.allowance_cents,
    moveCount: async () => (await get('/merits/ledger', { limit: 1 })).data.total,
  };
}
