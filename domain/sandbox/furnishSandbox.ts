import type { Transaction } from '../context';
import { licenseDays } from '../licenses/limits';
import { setAllowance } from '../merits/setAllowance';
import { provisionPeople } from '../people/provisionPeople';

/** What a sandbox can credit, in cents: no call of a test key sets an allowance. */
const sandboxAllowanceCents = 1_000_000;

/** Gives an empty sandbox what a new institution has: an admin, who owns groups without another owner, and an allowance. */
export async function furnishSandbox(sandbox: Transaction): Promise<void> {
  await setAllowance(sandbox, sandboxAllowanceCents);
  await provisionPeople(sandbox, 'faculty', [
    {
      fullName: 'Sandbox Admin',
      externalId: null,
      licenseDays: licenseDays.max,
      personalEmail: `admin@${sandbox.institutionId.slice('ins_'.length)}.sandbox.invalid`,
      isAdmin: true,
    },
  ]);
}
