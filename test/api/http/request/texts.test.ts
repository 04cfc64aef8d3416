import { apiFixture } from '../../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });

describe('the characters of a text are counted as JSON Schema counts them, an emoji as one', () => {
  const emojis = (count: number): string => '😀'.repeat(count);

  it.each([
    ['one line', 'name', 200],
    ['several lines', 'description', 2_000],
  ])('%s', async (_lines, field, max) => {
    const send = (value: string) => api.call('POST', '/groups', { key: institution.apiKey, body: { name: 'Algebra 9b', [field]: value } });
    const { status, data } = await send(emojis(max));
    expect([status, data[field]]).toEqual([200, emojis(max)]);
    for (const longer of [emojis(max + 1), 'a'.repeat(max + 1), emojis(3 * max)]) {
      const { body } = await send(longer);
      expect(body.issues).toEqual([{ path: field, message: `${field} must be at most ${max} characters` }]);
    }
  });
});
