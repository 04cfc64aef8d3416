import { seedCouponBatch } from '../../support/seed/coupons';
import { seedDeadDeliveries } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';
import { seedLicense } from '../../support/seed/licenses';
import { asAdmin, inviteDeveloper } from '../../support/developers';
import { newGuardianEmail, inviteGuardian } from '../../support/guardians';
import { apiFixture } from '../../support/apiFixture';

const { api } = apiFixture({ institutionPer: 'none' });

const ownerOf = (id: string) => api.platform('GET', `/owners/${id}`);

it('finds the institution of endpoints, deliveries, events and coupon batches by their ids, deleted or not', async () => {
  const [ownInstitution, otherInstitution] = [await api.institution(), await api.institution()];
  for (const institution of [ownInstitution, otherInstitution]) {
    const endpoint = await seedEndpoint(api, institution, 'https://hooks.example.org/in', { deletedAt: new Date() });
    const [delivery = ''] = await seedDeadDeliveries(api, institution, endpoint, 1);
    const [{ event_id: event } = { event_id: '' }] = await api.api.domain.database.sql<{ event_id: string }>('SELECT event_id FROM deliveries WHERE id = $1', [delivery]);
    for (const id of [endpoint, delivery, event, await seedCouponBatch(api, institution)]) {
      const { status, data } = await ownerOf(id);
      expect([status, data]).toEqual([200, { id, institution_id: institution.id }]);
    }
  }
});

it('finds the institution of keys, licenses, developers and links of guardians by their ids, like the paths that name them alone', async () => {
  const [ownInstitution, otherInstitution] = [await api.institution(), await api.institution()];
  for (const institution of [ownInstitution, otherInstitution]) {
    const key = await api.platform('POST', `/institutions/${institution.id}/keys`, { body: { name: 'Second', scopes: ['students:read'] }, ...asAdmin(institution) });
    const { data: student } = await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada Lovelace' } });
    const link = await inviteGuardian(api, institution, String(student.id), newGuardianEmail());
    const developer = await inviteDeveloper(api, institution);
    const ids = [String(key.data.key_id), (await seedLicense(api, institution)).id, String(developer.data.id), String(link.data.id)];
    expect(ids.map((id) => id.split('_')[0])).toEqual(['key', 'lic', 'dev', 'gdn']);
    for (const id of ids) {
      const { status, data } = await ownerOf(id);
      expect([status, data]).toEqual([200, { id, institution_id: institution.id }]);
    }
  }
});

it.each(['we_none', 'key_none', 'lic_none', 'dev_none', 'gdn_none', 'whd_', 'cpb_01jd4k6f2mep2s5xg5yhc8m1zz', 'constructor', 'toString_1', 'ins_none'])('%s is not found', async (id) => {
  const { status, body } = await ownerOf(id);
  expect([status, body.error, body.message]).toEqual([404, 'not_found', 'Nothing has this id.']);
});

it('is the platform\'s alone', async () => {
  const { adminId } = await api.institution();
  const { status, body } = await api.platform('GET', '/owners/we_none', { headers: { 'x-actor': adminId } });
  expect([status, body.error]).toEqual([403, 'forbidden']);
});
