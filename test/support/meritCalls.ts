import { newId } from '../../domain/ids';
import type { ApiResponse, RequestOptions, TestInstitution } from './api';
import type { AppFixture, SignedInStudent } from './appFixture';
import { seedGuardian } from './seed/guardians';

/** A student with a wallet, and the login email that the API names them by. */
export interface WalletOwner extends SignedInStudent {
  email: string;
}

/** Calls about the money of a fixture's institution. */
export interface MeritCalls {
  /** Sets the remaining allowance of the institution. */
  setAllowance(cents: number, institution?: TestInstitution): Promise<ApiResponse>;
  /** Creates a signed-in student, who has a wallet. */
  createOwner(): Promise<WalletOwner>;
  /** Creates a verified guardian of a student; returns the id of the person, who has no wallet. */
  createGuardian(studentId: string): Promise<string>;
  /** Requests a credit: by default of 500 cents with a new ref. */
  credit(body: object, institution?: TestInstitution): Promise<ApiResponse>;
  /** The same; throws if it is rejected. */
  creditSuccessfully(body: object): Promise<ApiResponse['data']>;
  /** Spends: by default 100 cents with a new ref. */
  spend(who: SignedInStudent, body?: object): Promise<ApiResponse>;
  get(path: string, query?: NonNullable<RequestOptions['query']>, institution?: TestInstitution): Promise<ApiResponse>;
  /** The balance of a wallet in cents. */
  balance(email: string): Promise<number>;
  /** The remaining allowance in cents. */
  remainingAllowance(): Promise<number>;
  /** The number of moves in the ledger. */
  moveCount(): Promise<number>;
}

/** A new ref. */
export const newRef = (): string => newId('req');

/** The kind, amount and balances of an item of the ledger. */
export const amounts = ({ kind, amount_cents, balance_cents, allowance_cents }: ApiResponse['data']): unknown[] => [kind, amount_cents, balance_cents, allowance_cents];

/** Calls about the money of the fixture's institution; its allowance is empty at the start. */
export function meritCalls({ api, institution, call, callAs, signedInStudent, sql }: AppFixture): MeritCalls {
  const get: MeritCalls['get'] = (path, query = {}, { apiKey } = institution) => api.call('GET', path, { key: apiKey, query });
  const credit: MeritCalls['credit'] = (body, creditor) => call('POST', '/merits/credits', { amount_cents: 500, ref: newRef(), ...body }, creditor);
  return {
    setAllowance: (allowance_cents, { id } = institution) => api.platform('PUT', `/institutions/${id}/allowance`, { body: { allowance_cents } }),
    createOwner: async () => {
      const who = await signedInStudent();
      return { ...who, email: (await get(`/students/${who.id}`)).data.login_email };
    },
    createGuardian: async (studentId) => {
      const link = await seedGuardian(api, institution, studentId, `${studentId}@guardians.example.org`);
      const [row] = await sql<{ guardian_id: string }>('SELECT guardian_id FROM guardian_links WHERE id = $1', [link]);
      return row?.guardian_id ?? '';
    },
    credit,
    creditSuccessfully: async (body) => {
      const { status, data, body: response } = await credit(body);
      if (status !== 200) throw new Error(`No credit: ${status} ${JSON.stringify(response)}`);
      return data;
    },
    spend: (who, body = {}) => callAs(who, 'POST', '/app/wallet/spend', { amount_cents: 100, ref: newRef(), ...body }),
    get,
    balance: async (email) => (await get(`/merits/wallets/${email}`)).data.balance_cents,
    remainingAllowance: async () => (await get('/merits/allowance')).data.allowance_cents,
    moveCount: async () => (await get('/merits/ledger', { limit: 1 })).data.total,
  };
}
