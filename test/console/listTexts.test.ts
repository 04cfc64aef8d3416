import { consoleFixture, visibleText } from '../support/consoleFixture';
import { seedEndpoint } from '../support/seed/endpoints';

const { api, institution, page } = consoleFixture();

it('lists break a URL behind its slashes and before its dots, not inside its words', async () => {
  await seedEndpoint(api, institution, 'https://hooks.north.example/gradebook/webhook-endpoints');
  expect(await page(`/institutions/${institution.id}`)).toContain('>https://<wbr>hooks<wbr>.north<wbr>.example/<wbr>gradebook/<wbr>webhook-endpoints</a>');
});

it('the list of events says of a text that is no id why no event is about it', async () => {
  const about = async (text: string): Promise<string> => visibleText(await page(`/institutions/${institution.id}/events?about=${text}`));
  expect(await about('SIS-5')).toContain("No event matches. “SIS-5” is no id: only whole ids are searched, such as stu_… or exm_…, and login emails; not names, nor a student_id of the school&#39;s own.");
  for (const known of ['stu_01jd4k6f2mep2s5xg5yhc8m1zr', 'ada@north.example']) expect(await about(known)).not.toContain('is no id');
});
