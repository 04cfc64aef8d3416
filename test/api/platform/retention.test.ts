import { apiFixture } from '../../support/apiFixture';

const { api, institution } = apiFixture();

const path = () => `/institutions/${institution.id}/retention`;
const defaults = { recording_days: 180, proctoring_days: 365, suspended_days: null };

it('an institution without periods of its own has the defaults', async () => {
  const { status, data } = await api.platform('GET', path());
  expect([status, data]).toEqual([200, defaults]);
});

it('PUT replaces all periods; one that is left out gets its default', async () => {
  const { data } = await api.platform('PUT', path(), { body: { recording_days: 60, proctoring_days: 90, suspended_days: 730 } });
  expect(data).toEqual({ recording_days: 60, proctoring_days: 90, suspended_days: 730 });
  expect((await api.platform('GET', path())).data).toEqual(data);
  expect((await api.platform('PUT', path(), { body: { proctoring_days: 90 } })).data).toEqual({ ...defaults, proctoring_days: 90 });
});

it.each([{ recording_days: 29 }, { recording_days: 1_826 }, { proctoring_days: 29 }, { proctoring_days: 1_826 }, { recording_days: null }, { suspended_days: 364 }, { suspended_days: 3_651 }])(
  'a period beyond the bounds of the platform is refused: %j',
  async (body) => {
    const { status, body: answer } = await api.platform('PUT', path(), { body });
    expect([status, answer.error]).toEqual([422, 'validation_error']);
    expect((await api.platform('GET', path())).data).toEqual(defaults);
  },
);

it('a change is in the audit log', async () => {
  await api.platform('PUT', path(), { body: { recording_days: 60 } });
  const { data } = await api.platform('GET', `/institutions/${institution.id}/audit-log`, { query: { operation: 'replaceRetention' } });
  expect(data.items).toMatchObject([{ actor: { kind: 'platform', id: 'platform' }, changed: ['recording_days'] }]);
});
