import { DefaultLogger, Runtime } from '@temporalio/worker';
import { createDeveloperInvitationActivities } from '../../activities/developers/invite';
import { acceptInvitation } from '../../domain/developers/acceptInvitation';
import { revokeDeveloper } from '../../domain/developers/changeStatus';
import { resendInvitation } from '../../domain/developers/resendInvitation';
import { developerInvitationWorkflowId } from '../../domain/owed/workflows';
import { transact } from '../../domain/transact';
import { createMailer, type Mailer } from '../../outbound/mail/mailer';
import { look, searchAttributes } from '../../workflows/contract';
import type { developerInvitation } from '../../workflows/developerInvitation';
import { systemCaller, type TestInstitution } from '../support/api';
import { developerAddress, developerToken, inviteDeveloper } from '../support/developers';
import { eventually } from '../support/eventually';
import { historyText, keepHistory } from '../support/histories';
import { openPostOffice, type PostOffice } from '../support/postOffice';
import { skippedTime } from '../support/skippedTime';

const taskQueue = 'developer-invitations';
const dayMs = 24 * 3_600_000;

let office: PostOffice;
let mailer: Mailer;
let north: TestInstitution;

beforeAll(async () => {
  // A mail server that is away for days fails hundreds of tries.
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  office = await openPostOffice();
  mailer = createMailer({ smtpUrl: office.url, from: 'North <no-reply@north.example>' });
});

const skipped = skippedTime(taskQueue, ({ domain }) => createDeveloperInvitationActivities(domain, mailer, 'https://portal.example'));

beforeEach(async () => {
  north = await skipped.api.institution();
  office.answer = () => 250;
});

afterAll(async () => {
  await mailer.close();
  await office.close();
});

const now = async () => new Date(await skipped.environment.currentTimeMs());
const sql = <Row extends object>(text: string, values: unknown[]) => skipped.api.api.domain.database.sql<Row>(text, values);

interface Invited {
  id: string;
  address: string;
}

/** A developer who is invited now, by the workflows' time, for 7 days. */
async function invited(): Promise<Invited> {
  const address = developerAddress();
  const { data } = await inviteDeveloper(skipped.api, north, address);
  await sql('UPDATE developers SET invited_at = $2, expires_at = $3 WHERE user_id = $1', [data.id, await now(), new Date((await now()).getTime() + 7 * dayMs)]);
  return { id: data.id, address };
}

const start = (developerId: string, invitation = 1) =>
  skipped.environment.client.workflow.start<typeof developerInvitation>('developerInvitation', {
    taskQueue,
    workflowId: developerInvitationWorkflowId(developerId, invitation),
    args: [{ developerId, institutionId: north.id, invitation }],
  });

/** Runs a command by the workflows' time. */
const command = async <Result>(work: Parameters<typeof transact<Result>>[2]) => transact(skipped.api.api.domain, systemCaller(north.id, await now()), work);
const accept = async ({ id }: Invited, nth = 1) => acceptInvitation(skipped.api.api.domain, developerToken(skipped.api, id, nth), await now());
const takenOf = (address: string) => office.taken.filter(({ to }) => to === address).map(({ messageId }) => messageId);
const letter = ({ id }: Invited, nth = 1) => `<${id}.${nth}.invitation@${north.loginDomain}>`;

// Contract: 411b, 519
it('sends one letter, and ends when the invitation expires after 7 days, from when on nobody can accept it', async () => {
  const one = await invited();
  const begun = (await now()).getTime();
  const run = await start(one.id);
  expect(await run.result()).toEqual({ outcome: 'expired', letters: 1 });
  expect(takenOf(one.address)).toEqual([letter(one)]);
  const ended = (await run.describe()).closeTime?.getTime() ?? 0;
  expect(ended - begun).toBeGreaterThanOrEqual(7 * dayMs);
  expect(ended - begun).toBeLessThan(7 * dayMs + 60_000);
  await expect(accept(one)).rejects.toMatchObject({ code: 'conflict' });
  expect((await run.describe()).typedSearchAttributes.get(searchAttributes.outcome)).toBe('expired');
  expect(await historyText(run)).not.toMatch(/mail\.example|token|portal/);
  await keepHistory('developerInvitation.expired', run);
});

it('can be accepted up to the last day', async () => {
  const one = await invited();
  const run = await start(one.id);
  await skipped.environment.sleep('6 days');
  expect((await accept(one)).status).toBe('active');
  await run.signal(look, {});
  expect(await run.result()).toEqual({ outcome: 'accepted', letters: 1 });
});

it('ends as accepted though it was not told', async () => {
  const one = await invited();
  const run = await start(one.id);
  await skipped.environment.sleep('1 day');
  await accept(one);
  expect(await run.result()).toEqual({ outcome: 'accepted', letters: 1 });
});

it('ends when the developer is revoked, and sends no letter to one who was revoked before its turn', async () => {
  const [one, other] = [await invited(), await invited()];
  const run = await start(one.id);
  await skipped.environment.sleep('1 day');
  await command((tx) => revokeDeveloper(tx, one.id));
  await run.signal(look, {});
  expect(await run.result()).toEqual({ outcome: 'revoked', letters: 1 });
  await command((tx) => revokeDeveloper(tx, other.id));
  expect(await (await start(other.id)).result()).toEqual({ outcome: 'revoked', letters: 0 });
  expect(takenOf(other.address)).toEqual([]);
  await keepHistory('developerInvitation.revoked', run);
});

it('a new invitation ends the run of the one before, and has its own letter and its own 7 days', async () => {
  const one = await invited();
  const first = await start(one.id);
  await skipped.environment.sleep('2 days');
  await command((tx) => resendInvitation(tx, north.adminId, one.id));
  await first.signal(look, {});
  // Without `result`, which would let the time run on to the end of the run that is over.
  await eventually('the first run over', async () => (await first.describe()).status.name === 'COMPLETED');
  const begun = (await now()).getTime();
  const second = await start(one.id, 2);
  expect(await first.result()).toEqual({ outcome: 'replaced', letters: 1 });
  expect(await second.result()).toEqual({ outcome: 'expired', letters: 1 });
  expect(((await second.describe()).closeTime?.getTime() ?? 0) - begun).toBeGreaterThanOrEqual(7 * dayMs - 60_000);
  expect(takenOf(one.address)).toEqual([letter(one), letter(one, 2)]);
});

it('while the institution is suspended its letter waits, and goes out within the hour once that is over', async () => {
  const one = await invited();
  await sql("UPDATE institutions SET status = 'suspended' WHERE id = $1", [north.id]);
  const run = await start(one.id);
  await skipped.environment.sleep('2 days');
  expect(takenOf(one.address)).toEqual([]);
  await sql("UPDATE institutions SET status = 'approved' WHERE id = $1", [north.id]);
  await skipped.environment.sleep('2 hours');
  expect(takenOf(one.address)).toEqual([letter(one)]);
  expect(await run.result()).toEqual({ outcome: 'expired', letters: 1 });
});

it('a mail server that is away for days is waited for, one that refuses for good is asked once, and no history holds the address', async () => {
  const [one, other] = [await invited(), await invited()];
  await office.close();
  const run = await start(one.id);
  await skipped.environment.sleep('3 days');
  await office.open();
  await skipped.environment.sleep('1 hour');
  expect(takenOf(one.address)).toEqual([letter(one)]);
  expect(await run.result()).toEqual({ outcome: 'expired', letters: 1 });
  expect(await historyText(run)).not.toContain('mail.example');
  office.answer = () => 550;
  await sql('UPDATE developers SET expires_at = $2 WHERE user_id = $1', [other.id, new Date((await now()).getTime() + 7 * dayMs)]);
  expect(await (await start(other.id)).result()).toEqual({ outcome: 'expired', letters: 1 });
  expect(office.named.get(other.address)).toBe(1);
});
