import { eraseStoreChunk } from '../../../domain/erasure/eraseStore';
import { storeNames } from '../../../domain/erasure/stores';
import { inviteGuardian } from '../../support/guardians';
import { keyedApis, newEmail, resealAll } from '../../support/keyedApis';
import { newMasterKey } from '../../support/serviceKeys';
import { requestCode } from '../../support/signInCodes';

const [k1, k2] = [newMasterKey('k1'), newMasterKey('k2')];
const apis = keyedApis({ before: [k1], rotated: [k2, k1] });

it('an erasure that a rotation overtakes removes what was written under the earlier key', async () => {
  const before = apis.api('before');
  const rotated = apis.api('rotated');
  const institution = await before.institution();
  const { sql } = before.api.domain.database;
  const call = (method: string, path: string, body: object = {}, headers: Record<string, string> = {}) => before.call(method, path, { key: institution.apiKey, body, headers });
  const { data: student } = await call('POST', '/students', { full_name: 'Ada Lovelace', personal_email: newEmail() }, { 'idempotency-key': 'erased' });
  await call('PATCH', `/students/${student.id}`, { personal_email: newEmail() });
  await inviteGuardian(before, institution, student.id, newEmail());
  await requestCode(before, student.login_email);
  const counted = async () => {
    const [counts] = await sql('SELECT (SELECT count(*)::int FROM guardian_letters WHERE institution_id = $1) AS invited, (SELECT count(*)::int FROM sign_in_emails) AS waiting', [institution.id]);
    return counts;
  };
  expect(await counted()).toEqual({ invited: 1, waiting: 2 });
  expect((await call('POST', `/students/${student.id}/erase`)).status).toBe(200);

  // What it searches for is sealed under the newest key from now on.
  expect(await resealAll(rotated)).toBe(0);
  for (const store of storeNames.filter((name) => name !== 'login_email')) {
    let place: string | null = '';
    do {
      const step: Awaited<ReturnType<typeof eraseStoreChunk>> = await eraseStoreChunk(rotated.api.domain, { institutionId: institution.id, personId: student.id, number: 1 }, store, place, new Date());
      place = step.next;
    } while (place !== null);
  }
  expect(await counted()).toEqual({ invited: 0, waiting: 0 });
  const repeated = await call('POST', '/students', { full_name: 'Ada Lovelace', personal_email: newEmail() }, { 'idempotency-key': 'erased' });
  expect(JSON.stringify(repeated.body)).not.toContain('Ada Lovelace');
});
