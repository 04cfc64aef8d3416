import { createStudent } from '../../../domain/students/createStudent';
import { issueCode, type AccountClaim, type IssuedCode } from '../../../domain/signIn/issueCode';
import type { SignedIn } from '../../../domain/signIn/completeSignIn';
import { signIn } from '../../../domain/signIn/signIn';
import { transact } from '../../../domain/transact';
import type { TestApi, TestInstitution } from '../../support/api';

/** One account of an institution, with the two commands of signing in run at a time of one's choosing. */
export interface TestAccount {
  id: string;
  loginEmail: string;
  code(now: Date, namedEmail?: string, claim?: AccountClaim): Promise<IssuedCode | undefined>;
  try(now: Date, code: string): Promise<SignedIn | undefined>;
  /** Types of the events that name the account, in their order. */
  events(): Promise<string[]>;
}

/** The commands of an account that exists. */
function accountOf({ api }: TestApi, institution: TestInstitution, id: string, loginEmail: string): TestAccount {
  const { domain } = api;
  const at = (now: Date) => ({ institutionId: institution.id, now });
  return {
    id,
    loginEmail,
    code: (now, namedEmail, claim) => transact(domain, at(now), (tx) => issueCode(tx, id, namedEmail, claim)),
    try: async (now, code) => {
      const signedIn = await transact(domain, at(now), (tx) => signIn(tx, id, { code, onDevice: undefined }));
      if (signedIn !== undefined && 'unlicensed' in signedIn) throw new Error('A session without an app asks for no license');
      return signedIn;
    },
    events: async () => {
      const rows = await domain.database.sql<{ type: string }>(
        "SELECT type FROM events WHERE institution_id = $1 AND body::json -> 'data' ->> 'student_id' = $2 ORDER BY created_at",
        [institution.id, id],
      );
      return rows.map(({ type }) => type);
    },
  };
}

/** A new student, with a mapped personal email unless `personal_email` is null. */
export async function studentOf(api: TestApi, institution: TestInstitution, personal_email: string | null): Promise<TestAccount> {
  const student = await transact(api.api.domain, institution.caller, (tx) => createStudent(tx, { personal_email }));
  return accountOf(api, institution, student.id, student.login_email);
}

/** A code that is not the one given. */
export const wrongCodeFor = ({ code }: IssuedCode): string => (code === '000000' ? '000001' : '000000');
