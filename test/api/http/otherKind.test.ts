import { apiFixture } from '../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });

const rest = '01jd4k6f2mep2s5xg5yhc8m1zr';

describe('the 404 of an id of another kind says of which kind it is, and which operation shows it', () => {
  it.each([
    ['GET', `/faculty/stu_${rest}`, 'No such faculty member in this institution. stu_… is the id of a student: GET /v1/students/{id} shows it.'],
    ['GET', `/students/fac_${rest}`, /^No such student in this institution\. .+ fac_… is the id of a faculty member: GET \/v1\/faculty\/\{id\} shows it\.$/],
    ['GET', `/students/usr_${rest}/guardians`, / usr_… is the id of a guardian\.$/],
    ['GET', `/alpha/students/fac_${rest}`, / fac_… is the id of a faculty member: GET \/v1\/faculty\/\{id\} shows it\.$/],
    ['POST', `/exams/sub_${rest}/close`, 'No such exam in this institution. Its id begins with exm_. sub_… is the id of a submission: GET /v1/submissions/{id} shows it.'],
    ['GET', `/submissions/exm_${rest}`, / exm_… is the id of an exam: GET \/v1\/exams\/\{id\} shows it\.$/],
    ['GET', `/webhooks/endpoints/whd_${rest}`, / whd_… is the id of a webhook delivery: GET \/v1\/webhooks\/deliveries\/\{id\} shows it\.$/],
    ['DELETE', `/guardians/usr_${rest}`, / usr_… is the id of a guardian\.$/],
    ['DELETE', `/groups/grp_${rest}/members/fac_${rest}`, / fac_… is the id of a faculty member: GET \/v1\/faculty\/\{id\} shows it\.$/],
  ])('%s %s', async (method, path, message) => {
    const { status, body } = await api.call(method, path, { key: institution.apiKey });
    expect([status, body.error, body.message]).toEqual([404, 'not_found', typeof message === 'string' ? message : expect.stringMatching(message)]);
  });

  it('and of an id of the right kind that is too short or too long says how long it is', async () => {
    const messageOf = async (id: string): Promise<string> => (await api.call('GET', `/faculty/${id}`, { key: institution.apiKey })).body.message;
    expect(await messageOf(`fac_${rest.slice(0, 20)}`)).toBe('No such faculty member in this institution. The id has 20 of 26 characters after its prefix: it was cut off, and only whole ids are searched.');
    expect(await messageOf(`fac_${rest}0`)).toBe('No such faculty member in this institution. The id has 27 of 26 characters after its prefix.');
  });

  it('and nothing more for an id of the right kind, an email or another text', async () => {
    for (const id of [`fac_${rest}`, 'ada@north.example', 'HR-204', 'one_two']) {
      expect((await api.call('GET', `/faculty/${id}`, { key: institution.apiKey })).body.message).toBe('No such faculty member in this institution.');
    }
  });
});
