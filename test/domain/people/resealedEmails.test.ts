import { asAdmin, newDeveloperEmail, inviteDeveloper } from '../../support/developers';
import { examFixtureForAllTests } from '../../support/examFixture';
import { newGuardianEmail, inviteGuardian } from '../../support/guardians';

const desk = examFixtureForAllTests();

/** How the address of a guardian or developer is kept, and what it opens to. */
async function kept(kind: string): Promise<{ sealed: string; opened: string }> {
  const [row] = await desk.sql<{ sealed: string }>('SELECT personal_email_sealed AS sealed FROM users WHERE institution_id = $1 AND kind = $2', [desk.institution.id, kind]);
  const sealed = row?.sealed ?? '';
  return { sealed, opened: desk.api.api.domain.secrets.open(sealed) };
}

// So that an encryption key can be given up: a seal has ever another text.
describe('an address that is invited once more is sealed anew', () => {
  it('of a guardian, by the link to another student', async () => {
    const address = newGuardianEmail();
    const [one = '', other = ''] = await desk.students(2);
    await inviteGuardian(desk.api, desk.institution, one, address);
    const before = await kept('guardian');
    await inviteGuardian(desk.api, desk.institution, other, address);
    const after = await kept('guardian');
    expect([before.opened, after.opened]).toEqual([address, address]);
    expect(after.sealed).not.toBe(before.sealed);
  });

  it('of a developer, by another invitation after a revocation', async () => {
    const address = newDeveloperEmail();
    const { data } = await inviteDeveloper(desk.api, desk.institution, address);
    const before = await kept('developer');
    const revoked = await desk.api.platform('POST', `/developers/${data.id}/revoke`, asAdmin(desk.institution));
    const again = await inviteDeveloper(desk.api, desk.institution, address);
    const after = await kept('developer');
    expect([revoked.status, again.status, before.opened, after.opened]).toEqual([200, 200, address, address]);
    expect(after.sealed).not.toBe(before.sealed);
  });
});
