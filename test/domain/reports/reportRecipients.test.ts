import { lettersAtOnce } from '../../../domain/emails/claimedEmail';
import { nextReportLetters } from '../../../domain/reports/claimReportEmails';
import { removeGuardian } from '../../../domain/guardians/removeGuardian';
import { transact } from '../../../domain/transact';
import { plantGuardian, plantReader } from '../../support/examRows';
import { plantStudents } from '../../support/manyStudents';
import { enrollLongAgo, itsWeek, plantDay, plantGuardians, reportLettersOf, writeItsWeek } from '../../support/reports';
import { apiOfAllTests, institutionOfEachTest } from '../../support/sharedApi';

const api = apiOfAllTests();
const north = institutionOfEachTest(api);
let mailboxes = 0;

const sql = (text: string, values: unknown[] = []) => api.api.domain.database.sql(text, [north.id, ...values]);
const mailbox = (): string => `guardian${(mailboxes += 1)}.reports@mail.example`;
const next = (now = new Date()) => nextReportLetters(api.api.domain, { institutionId: north.id, week: itsWeek }, now);

/** A student of this name who learned so many minutes on the week's Monday. */
async function student(name: string, minutes: number): Promise<string> {
  const id = await plantReader(api, north, null, name);
  await enrollLongAgo(api, north, [id]);
  await plantDay(api, north, [id], itsWeek, minutes);
  return id;
}

/** The next letters by their addressees: the names and the times that they tell, or why there is none. */
async function told(): Promise<Record<string, string[]>> {
  const letters = await next();
  if (typeof letters === 'string') return { [letters]: [] };
  return Object.fromEntries(letters.map(({ letter }) =>
    typeof letter === 'string' ? [letter, []] : [letter.to, letter.text.split('\n').filter((line) => /^Student|Time/.test(line))]));
}

it('each guardian gets one letter, with the numbers of their own students and of no others', async () => {
  const [ada, byron, clara] = [await student('Student Ada', 10), await student('Student Byron', 20), await student('Student Clara', 30)];
  const [mother, father, other] = [mailbox(), mailbox(), mailbox()];
  for (const [id, ...guardians] of [[ada, mother, father], [byron, mother], [clara, other]] as const) {
    for (const address of guardians) await plantGuardian(api, north, id, address);
  }
  await writeItsWeek(api, north);
  expect(await told()).toEqual({
    [mother]: ['Student Ada', '  Time learned: 10 min', 'Student Byron', '  Time learned: 20 min'],
    [father]: ['Student Ada', '  Time learned: 10 min'],
    [other]: ['Student Clara', '  Time learned: 30 min'],
  });
});

it('a guardian whose link is gone when their turn comes gets none, and one who has another left is told of that student alone', async () => {
  const [ada, byron] = [await student('Student Ada', 10), await student('Student Byron', 20)];
  const [gone, stays] = [mailbox(), mailbox()];
  const links = [await plantGuardian(api, north, ada, gone), await plantGuardian(api, north, ada, stays)];
  await plantGuardian(api, north, byron, stays);
  await writeItsWeek(api, north);
  for (const link of links) await transact(api.api.domain, north.caller, (tx) => removeGuardian(tx, link));
  expect(await told()).toEqual({ [stays]: ['Student Byron', '  Time learned: 20 min'] });
});

it('of a student who was suspended meanwhile nobody is told, and whoever follows no other gets no letter', async () => {
  const [ada, byron] = [await student('Student Ada', 10), await student('Student Byron', 20)];
  const both = mailbox();
  await plantGuardian(api, north, ada, mailbox());
  for (const id of [ada, byron]) await plantGuardian(api, north, id, both);
  await writeItsWeek(api, north);
  await sql("UPDATE users SET status = 'suspended' WHERE institution_id = $1 AND id = $2", [ada]);
  expect(await told()).toEqual({ [both]: ['Student Byron', '  Time learned: 20 min'], nobody: [] });
});

it('while the institution is suspended none is claimed', async () => {
  await plantGuardian(api, north, await student('Student Ada', 10), mailbox());
  await writeItsWeek(api, north);
  await sql("UPDATE institutions SET status = 'suspended', suspended_at = now() WHERE id = $1");
  expect(await told()).toEqual({ institution_inactive: [] });
  expect((await reportLettersOf(api, north)).map(({ status }) => status)).toEqual(['waiting']);
});

it('ten are claimed at a time, for a minute, under a Message-ID of week and guardian', async () => {
  const ids = await plantStudents(api, north, 12, `ten${north.id.slice(-6)}`);
  await enrollLongAgo(api, north, ids);
  await plantGuardians(api, north, ids);
  await writeItsWeek(api, north);
  const now = new Date();
  const [first, second, again] = [await next(now), await next(now), await next(new Date(now.getTime() + 60_001))];
  if (typeof first === 'string' || typeof second === 'string' || typeof again === 'string') throw new Error('The institution is approved');
  expect([first.length, second.length, again.length]).toEqual([lettersAtOnce, 2, lettersAtOnce]);
  for (const { letter, recipientId } of first) expect(letter).toMatchObject({ messageId: `<rep.${itsWeek}.${recipientId}@${north.loginDomain}>` });
});
