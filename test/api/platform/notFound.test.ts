import { apiFixture } from '../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });

/** No id holds a control character. */
const impossible = '%C2%9B';

describe('what is not there is said by what was looked for', () => {
  it.each([
    ['GET', '/owners/whd_unknown', 'Nothing has this id.'],
    ['GET', `/owners/${impossible}`, 'Nothing has this id.'],
    ['GET', '/workflows/whd_unknown', 'No such workflow.'],
    ['GET', '/institutions/ins_unknown', 'No such institution.'],
    ['GET', `/institutions/${impossible}`, 'Nothing has this id.'],
    ['GET', '/institutions/ins_unknown/webhook-endpoints/we_unknown', 'No such institution.'],
    ['DELETE', '/keys/key_unknown', 'No such key.'],
    ['POST', '/licenses/lic_unknown/suspend', 'No such license. Its id begins with lic_.'],
    ['POST', '/developers/dev_unknown/resend', 'No such developer.'],
    ['POST', '/alpha/curricula/cur_unknown/publish', 'No such shared curriculum.'],
  ])('among all institutions where none is named: %s %s', async (method, path, message) => {
    const { status, body } = await api.platform(method, path);
    expect([status, body.error, body.message]).toEqual([404, 'not_found', message]);
  });

  it.each([
    ['platform', 'GET', 'own/webhook-endpoints/we_unknown', 'webhook endpoint', ' Its id begins with we_.'],
    ['platform', 'GET', 'own/deliveries/whd_unknown', 'delivery', ' Its id begins with whd_.'],
    ['admin', 'DELETE', '/keys/key_unknown', 'key', ''],
    ['admin', 'POST', '/alpha/curricula/cur_unknown/publish', 'curriculum', ' Its id begins with cur_.'],
  ])('in this institution where the path or who acts names one: the %s, %s %s', async (who, method, path, thing, hint) => {
    const headers = who === 'admin' ? { 'x-actor': institution.adminId } : {};
    const { status, body } = await api.platform(method, path.replace(/^own/, `/institutions/${institution.id}`), { headers });
    expect([status, body.error, body.message]).toEqual([404, 'not_found', `No such ${thing} in this institution.${hint}`]);
  });
});
