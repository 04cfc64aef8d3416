import type { ApiResponse } from '../../support/api';
import { errorSummary } from '../../support/responses';
import { chainOf, publishedCurriculum } from '../../support/curricula';
import { apiFixture } from '../../support/apiFixture';

const fixture = apiFixture();
const { api, sql, call } = fixture;

const asAdmin = (id = fixture.institution.adminId) => ({ 'x-actor': id });
const create = (body: object, headers: Record<string, string> = {}): Promise<ApiResponse> => api.platform('POST', '/alpha/curricula', { headers, body });
const read = (id: string, institution = fixture.institution): Promise<ApiResponse> => call('GET', `/alpha/curricula/${id}`, undefined, institution);
const publish = (id: string, headers: Record<string, string> = {}): Promise<ApiResponse> => api.platform('POST', `/alpha/curricula/${id}/publish`, { headers });
const fractions = { title: 'Fractions', concepts: chainOf(3) };

/** The curricula that an institution is shown, of those that this test has made. */
async function seen(ids: readonly string[], institution = fixture.institution): Promise<string[]> {
  const { data } = await call('GET', '/alpha/curricula?limit=200', undefined, institution);
  return data.items.map(({ id }: { id: string }) => id).filter((id: string) => ids.includes(id));
}

// Contract: alpha.curricula.own-and-shared-published, alpha.curricula.response
it('an admin makes a draft of their own with its concepts in order, and publishes it', async () => {
  const { status, data: draft } = await create(fractions, asAdmin());
  expect([status, draft]).toEqual([
    200,
    expect.objectContaining({ title: 'Fractions', shared: false, status: 'draft', concepts: chainOf(3), concept_count: 3, published_at: null }),
  ]);
  expect(await seen([draft.id])).toEqual([]);
  const { data: published } = await publish(draft.id, asAdmin());
  expect(published).toEqual({ ...draft, status: 'published', published_at: expect.any(String) });
  expect((await read(draft.id)).data).toEqual(published);
  const { concepts: _concepts, ...listed } = published;
  expect((await call('GET', '/alpha/curricula')).data.items).toContainEqual(listed);
});

it('publishing again changes nothing', async () => {
  const { data: draft } = await create(fractions, asAdmin());
  const { data: first } = await publish(draft.id, asAdmin());
  expect((await publish(draft.id, asAdmin())).data).toEqual(first);
});

// Contract: alpha.curricula.own-and-shared-published, alpha.curricula.response
it('every institution sees shared curricula, and no other institution one\'s own', async () => {
  const otherInstitution = await api.institution();
  const [shared, own, foreign] = [await publishedCurriculum(api, {}), await publishedCurriculum(api, asAdmin()), await publishedCurriculum(api, asAdmin(otherInstitution.adminId))];
  const all = [shared, own, foreign];
  expect([await seen(all), await seen(all, otherInstitution)]).toEqual([[own, shared], [foreign, shared]]);
  expect((await call('GET', '/alpha/curricula')).data.items.find(({ id }: { id: string }) => id === shared).shared).toBe(true);
});

it('a shared curriculum is read with its concepts by every institution, one\'s own by no other, and a draft by none', async () => {
  const otherInstitution = await api.institution();
  const [shared, own] = [await publishedCurriculum(api, {}), await publishedCurriculum(api, asAdmin())];
  const { data: draft } = await create(fractions, asAdmin());
  for (const answer of [await read(shared), await read(shared, otherInstitution), await read(own)]) expect([answer.status, answer.data.concepts]).toEqual([200, chainOf(3)]);
  expect([await read(own, otherInstitution), await read(draft.id), await read('cur_unknown')].map(errorSummary)).toEqual(Array(3).fill([404, 'not_found']));
});

it('a page of the largest curricula is no larger for their concepts', async () => {
  const id = await publishedCurriculum(api, asAdmin(), { concepts: chainOf(200) });
  const { data } = await call('GET', '/alpha/curricula');
  const { concepts, ...listed } = (await read(id)).data;
  expect(data.items.find((item: { id: string }) => item.id === id)).toEqual(listed);
  expect([listed.concept_count, concepts.length]).toEqual([200, 200]);
});

it('an institution has at most 500 curricula of its own, drafts included, regardless of how many admins create them at once', async () => {
  await sql(
    `INSERT INTO curricula (id, institution_id, title, status, created_at) SELECT $1 || n, $1, 'Sensitive', 'draft', now() FROM generate_series(1, 496) n`,
    [fixture.institution.id],
  );
  const answers = await Promise.all(Array.from({ length: 8 }, () => create(fractions, asAdmin())));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 409, 409, 409, 409]);
  expect(errorSummary(await create(fractions, asAdmin()))).toEqual([409, 'conflict']);
  expect((await create(fractions)).status).toBe(200);
});

it('an admin cannot publish a shared curriculum, nor another institution\'s, nor the platform an own one', async () => {
  const otherInstitution = await api.institution();
  const { data: shared } = await create(fractions);
  const { data: own } = await create(fractions, asAdmin());
  const answers = [await publish(shared.id, asAdmin()), await publish(own.id, asAdmin(otherInstitution.adminId)), await publish(own.id), await publish('cur_unknown', asAdmin())];
  expect(answers.map(errorSummary)).toEqual(Array(4).fill([404, 'not_found']));
});

it('a curriculum is not made while the institution is suspended', async () => {
  await api.platform('POST', `/institutions/${fixture.institution.id}/suspend`);
  expect(errorSummary(await create(fractions, asAdmin()))).toEqual([403, 'institution_not_approved']);
});

it('ids that stand twice, unknown and repeated requirements are each refused with their path', async () => {
  const concepts = [
    { id: 'a', title: 'A', requires: ['b', 'b', 'x'] },
    { id: 'b', title: 'B' },
    { id: 'a', title: 'A again', requires: ['nobody'] },
  ];
  expect(errorSummary(await create({ title: 'T', concepts }))).toEqual([
    422,
    'validation_error',
    ['concepts.0.requires.1', 'concepts.0.requires.2', 'concepts.2.id', 'concepts.2.requires.0'],
  ]);
});

it.each([
  ['a concept that requires itself', [{ id: 'a', title: 'A', requires: ['a'] }], ['concepts.0.requires.0']],
  [
    'three that require one another in turn',
    [{ id: 'a', title: 'A', requires: ['c'] }, { id: 'b', title: 'B', requires: ['a'] }, { id: 'c', title: 'C', requires: ['b'] }],
    ['concepts.1.requires.0'],
  ],
  [
    'two circles',
    [{ id: 'a', title: 'A', requires: ['b'] }, { id: 'b', title: 'B', requires: ['a'] }, { id: 'c', title: 'C', requires: ['a', 'c'] }],
    ['concepts.1.requires.0', 'concepts.2.requires.1'],
  ],
])('%s: refused with the path of what closes the circle', async (_name, concepts, paths) => {
  expect(errorSummary(await create({ title: 'T', concepts }))).toEqual([422, 'validation_error', paths]);
});

it.each([
  [{ title: 'T', concepts: [] }, ['concepts']],
  [{ title: 'T', concepts: chainOf(201) }, ['concepts']],
  [{ title: ' ', concepts: chainOf(1) }, ['title']],
  [{ title: 'T', concepts: [{ id: 'Upper', title: 'A' }, { id: 'a b', title: 'A' }, { id: 'x'.repeat(65), title: 'A' }] }, ['concepts.0.id', 'concepts.1.id', 'concepts.2.id', 'concepts.2.id']],
  [{ title: 'T', concepts: [{ id: 'a' }] }, ['concepts.0.title']],
  [{ title: 'T', concepts: [{ id: 'a', title: 'A', requires: Array.from({ length: 21 }, (_, nth) => `c${nth}`) }] }, ['concepts.0.requires']],
])('a body against the bounds is refused with its path (%#)', async (body, paths) => {
  expect(errorSummary(await create(body))).toEqual([422, 'validation_error', paths]);
});

it('200 concepts of 20 requirements each are taken', async () => {
  const concepts = chainOf(200).map((concept, nth) => ({ ...concept, requires: Array.from({ length: Math.min(nth, 20) }, (_, back) => `c${nth - back}`) }));
  const { status, data } = await create({ title: 'Large', concepts }, asAdmin());
  expect([status, data.concept_count, data.concepts]).toEqual([200, 200, concepts]);
});
