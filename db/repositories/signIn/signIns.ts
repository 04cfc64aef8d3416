import type { InstitutionScope } from '../../database';
import { newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement, type Sql } from '../../statement';
import { addressNetwork } from '../../../lib/addressNetwork';

/** What became of a sign-in: a session, or why there is none. */
export const signInResults = ['signed_in', 'wrong_code', 'no_valid_code', 'locked', 'not_allowed', 'unlicensed'] as const;
export type SignInResult = (typeof signInResults)[number];

/** A sign-in of a person, or tries within a minute with one result from one client's network, under the first address. */
export interface SignInRow {
  id: string;
  at: Date;
  client_address: string | null;
  result: SignInResult;
  tries: number;
}

/** A try to sign in. */
export interface NewSignIn {
  id: string;
  userId: string;
  clientAddress: string | null;
  result: SignInResult;
}

/** How many rows tries of one result are within the period, at most: others are counted in the newest of them. */
const maxSimilar = 20;

const findSimilar = statement(
  'sign_in_similar',
  `SELECT id, client_address FROM sign_ins WHERE institution_id = $1 AND user_id = $2 AND at > $3 AND result = $4 AND result <> 'signed_in'
    ORDER BY at DESC, id DESC LIMIT ${maxSimilar}`,
);
const repeat = statement('sign_in_repeat', 'UPDATE sign_ins SET tries = tries + 1 WHERE institution_id = $1 AND id = $2');
const insert = statement('sign_in_record', 'INSERT INTO sign_ins (id, institution_id, user_id, at, client_address, result) VALUES ($2, $1, $3, $4, $5, $6)');

const networkOf = (address: string | null): string | null => (address === null ? null : addressNetwork(address));

/**
 * Records a try of a locked account; a failed one like another after `since`, from the same network, is counted there, so that
 * tries from the many addresses of one client fill nothing.
 */
export async function recordSignIn(scope: InstitutionScope, { id, userId, clientAddress, result }: NewSignIn, now: Date, since: Date): Promise<void> {
  const similar = await scope.sql<{ id: string; client_address: string | null }>(findSimilar, [scope.institutionId, userId, since, result]);
  const network = networkOf(clientAddress);
  const like = similar.find(({ client_address }) => networkOf(client_address) === network) ?? (similar.length === maxSimilar ? similar[0] : undefined);
  if (like === undefined) await scope.sql(insert, [scope.institutionId, id, userId, now, clientAddress, result]);
  else await scope.sql(repeat, [scope.institutionId, like.id]);
}

/** Returns a page of a person's sign-ins and failed tries, newest first. */
export function listSignIns(scope: InstitutionScope, userId: string, page: Page): Promise<PageOf<SignInRow>> {
  const conditions = [
    { sql: 's.institution_id = $', value: scope.institutionId },
    { sql: 's.user_id = $', value: userId },
  ];
  const query = { columns: 's.id, s.at, s.client_address, s.result, s.tries', from: 'sign_ins s', key: 's.id', conditions, order: newestFirst('s.at', 's.id') };
  return readPage(scope.sql, query, page);
}

const deleteOld = 'DELETE FROM sign_ins WHERE id IN (SELECT id FROM sign_ins WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING id';

/** Deletes sign-ins of any institution before a time; returns the number. */
export async function deleteSignInsBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  return (await sql(deleteOld, [before, limit])).length;
}
