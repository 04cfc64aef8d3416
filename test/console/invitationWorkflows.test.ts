import type { RunningWorker } from '../../worker/start';
import { consoleFixture, visibleText } from '../support/consoleFixture';
import { inviteDeveloper } from '../support/developers';
import { eventually } from '../support/eventually';
import { inviteGuardian, newGuardianEmail } from '../support/guardians';
import { startTestWorker } from '../support/worker';

const { api, institution, page, sql, createStudents } = consoleFixture();

let worker: RunningWorker;

beforeAll(async () => {
  worker = await startTestWorker(api.settings);
});

afterAll(() => worker.stop());

/** The page of an id, once its workflow says this. */
const pageThatSays = (id: string, words: RegExp): Promise<string> =>
  eventually(`the page of ${id}`, async () => {
    const text = visibleText(await page(`/search?q=${id}`));
    return words.test(text) && text;
  });

const time = String.raw`\S.+? \(.+? Europe/Berlin ?\)`;

it("says when the email of an invitation was sent, in the words of its workflow and by the institution's clocks", async () => {
  await sql("UPDATE institutions SET time_zone = 'Europe/Berlin' WHERE id = $1", [institution.id]);
  const [student = ''] = await createStudents(1);
  const { data: link } = await inviteGuardian(api, institution, student, newGuardianEmail());
  const { data: developer } = await inviteDeveloper(api, institution);
  const ofGuardian = await pageThatSays(link.id, /is with the guardian/);
  expect(ofGuardian).toMatch(new RegExp(`Workflow ${link.id}:1 .+ Invitation 1 of ${link.id} is with the guardian: email ${time} ?, reminder ${time} ?\\. It expires ${time} ?\\.`));
  expect(ofGuardian).not.toMatch(/User Metadata|\*\*|`/);
  expect(await pageThatSays(developer.id, /is with the developer/)).toMatch(new RegExp(`Newest invitation ${developer.id}:1 .+ is with the developer: email ${time}`));
});
