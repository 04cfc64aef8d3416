import { openEmail } from '../../../domain/people/personalEmail';
import { asAdmin, newDeveloperEmail, inviteDeveloper } from '../../support/developers';
import { apiFixture } from '../../support/apiFixture';
import { newGuardianEmail, inviteGuardian } from '../../support/guardians';

const { api, institution, sql, createStudents } = apiFixture({ institutionPer: 'file' });

/** How the address of a guardian or developer is kept, and what it opens to. */
async function kept(kind: string): Promise<{ sealed: string; opened: string }> {
  const [row] = await sql<{ id: string; sealed: string }>('SELECT id, personal_email_sealed AS sealed FROM users WHERE institution_id = $1 AND kind = $2', [institution.id, kind]);
  const { id: userId, sealed } = row ?? { id: '', sealed: '' };
  return { sealed, opened: openEmail(api.api.domain.secrets, { institutionId: institution.id, userId }, sealed) };
}

// So that an encryption key can be given up: a seal has ever another text.
describe('an address that is invited once more is sealed again', () => {
  it('of a guardian, by the link to another student', async () => {
    const address = newGuardianEmail();
    const [one = '', other = ''] = await createStudents(2);
    await inviteGuardian(api, institution, one, address);
    const before = await kept('guardian');
    await inviteGuardian(api, institution, other, address);
    const after = await kept('guardian');
    expect([before.opened, after.opened]).toEqual([address, address]);
    expect(after.sealed).not.toBe(before.sealed);
  });

  it('of a developer, by another invitation after a revocation', async () => {
    const address = newDeveloperEmail();
    const { data } = await inviteDeveloper(api, institution, address);
    const before = await kept('developer');
    const revoked = await api.platform('POST', `/developers/${data.id}/revoke`, asAdmin(institution));
    const again = await inviteDeveloper(api, institution, address);
    const after = await kept('developer');
    expect([revoked.status, again.status, before.opened, after.opened]).toEqual([200, 200, address, address]);
    expect(after.sealed).not.toBe(before.sealed);
  });
});
