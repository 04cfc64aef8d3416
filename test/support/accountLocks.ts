import { newId } from '../../domain/ids';
import type { TestApi, TestInstitution } from './api';

/** Locks an account, as ten wrong tries just now at its codes do. */
export const lockAccount = ({ api }: TestApi, { id: institutionId }: TestInstitution, userId: string): Promise<unknown> =>
  api.domain.database.sql(
    `INSERT INTO sign_in_codes (id, institution_id, user_id, code_hmac, sent_to_hmac, wrong_tries, last_wrong_at, created_at, expires_at)
     VALUES ($1, $2, $3, '', '', 10, now(), now(), now() + interval '10 minutes')`,
    [newId('code'), institutionId, userId],
  );
