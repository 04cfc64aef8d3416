import { newId } from '../../domain/ids';
import { transact } from '../../domain/transact';
import { consoleFixture, rowIds, visibleText } from '../support/consoleFixture';
import { changeDeliveries } from '../support/deliveries';
import { seedDeliveryAttempt } from '../support/seed/deliveries';
import { seedEvents } from '../support/seed/events';
import { addStaffMember } from '../support/staff';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { minutesAgo } from '../support/time';

const fixture = consoleFixture();
const { api, institution, page, sql, endpoint, call, createStudents } = fixture;

afterAll(() => closeTestTemporal());

/** Dead deliveries whose events exist, created so many minutes ago. */
async function seedDead(minutes: number, count = 1): Promise<string[]> {
  const eventIds = await seedEvents(api, institution, { createdAt: minutesAgo(minutes), count });
  return Promise.all(eventIds.map((eventId) => endpoint.seedDelivery({ status: 'dead', eventId, createdAt: minutesAgo(minutes) })));
}

const recordRef = (delivery: string, ref: string, cycle: number) =>
  sql('INSERT INTO webhook_replays (institution_id, delivery_id, ref, cycle, created_at) VALUES ($1, $2, $3, $4, now())', [institution.id, delivery, ref, cycle]);

describe('the question before a replay of dead deliveries', () => {
  const asked = (since: Date): Promise<string> => page(`/endpoints/${endpoint.id}/replay-dead?since=${since.toISOString()}`);

  it('says how many more were created before its From, and leads to the replay of all of them', async () => {
    await seedDead(3 * 24 * 60, 2);
    await seedDead(30);
    const text = await asked(minutesAgo(60));
    expect(visibleText(text)).toContain('1 dead delivery created after');
    expect(visibleText(text)).toMatch(/2 more were created before: replay them, too…/);
    const [, path = ''] = /id="earlier">[\s\S]*?href="\/console([^"]+)"/.exec(text) ?? [];
    const all = await page(path.replaceAll('&amp;', '&'));
    expect(visibleText(all)).toContain('3 dead deliveries created at any time');
    expect(all).not.toContain('id="earlier"');
  });

  it('says so where none is in its time, and nothing where none was before', async () => {
    await seedDead(3 * 24 * 60);
    expect(visibleText(await asked(minutesAgo(60)))).toMatch(/No dead delivery of this endpoint was created .+ 1 more was created before: replay it, too…/);
    expect(await asked(minutesAgo(4 * 24 * 60))).not.toContain('id="earlier"');
  });
});

describe('the question before a recovery', () => {
  it('of a disabled endpoint counts what it missed, and says that it must be reactivated first', async () => {
    await sql("UPDATE webhook_endpoints SET events = ARRAY['exam.*'], status = 'disabled', disabled_reason = 'answered 410 Gone' WHERE id = $1", [endpoint.id]);
    await seedEvents(api, institution, { createdAt: minutesAgo(30), count: 2 });
    const shown = await page(`/endpoints/${endpoint.id}`);
    expect(shown).toContain('Count missed events…');
    expect(visibleText(shown)).toContain('If its receiver still responds with 410, the first delivery disables it again.');
    const text = await page(`/endpoints/${endpoint.id}/recover?since=${minutesAgo(60).toISOString()}`);
    expect(visibleText(text)).toMatch(/2 events without a delivery .+ Reactivate the endpoint first: while it is disabled it receives no deliveries\./);
    expect(text).not.toContain('>Recover them<');
  });

  it('leads to one without what happened before the endpoint was created, where there is anything else', async () => {
    await sql("UPDATE webhook_endpoints SET events = ARRAY['exam.*'], created_at = $2 WHERE id = $1", [endpoint.id, minutesAgo(60)]);
    await seedEvents(api, institution, { createdAt: minutesAgo(90), count: 3 });
    const since = '2026-01-01T00:00';
    expect(await page(`/endpoints/${endpoint.id}/recover?since=${since}`)).not.toContain('id="since-creation"');
    await seedEvents(api, institution, { createdAt: minutesAgo(30), count: 2 });
    const text = await page(`/endpoints/${endpoint.id}/recover?since=${since}`);
    expect(visibleText(text)).toMatch(/5 events without a delivery .+ 3 events happened before the endpoint was created: recover only the other 2…/);
    const [, path = ''] = /id="since-creation">[\s\S]*?href="\/console([^"]+)"/.exec(text) ?? [];
    expect(visibleText(await page(path.replaceAll('&amp;', '&')))).toContain('2 events without a delivery');
  });

  it('says how many more events happened before its From, and leads to the recovery of all of them', async () => {
    await sql("UPDATE webhook_endpoints SET events = ARRAY['exam.*'] WHERE id = $1", [endpoint.id]);
    await seedEvents(api, institution, { createdAt: minutesAgo(3 * 24 * 60), count: 2 });
    await seedEvents(api, institution, { createdAt: minutesAgo(30) });
    const text = await page(`/endpoints/${endpoint.id}/recover?since=${minutesAgo(60).toISOString()}`);
    expect(visibleText(text)).toMatch(/1 event without a delivery .+ 2 more happened before(?:, when the endpoint was not created yet)?: recover them, too…/);
    const [, path = ''] = /id="earlier">[\s\S]*?href="\/console([^"]+)"/.exec(text) ?? [];
    const all = await page(path.replaceAll('&amp;', '&'));
    expect(visibleText(all)).toContain('3 events without a delivery');
    expect(all).not.toContain('id="earlier"');
  });

  it('that is wrong stays at its endpoint and says what is wrong', async () => {
    const { status, text } = await fixture.session.get(`/console/endpoints/${endpoint.id}/recover?since=2026-01-02T00:00&until=2026-01-01T00:00`);
    expect([status, text.includes('must not be before From'), text.includes(`href="/console/endpoints/${endpoint.id}">Back to the endpoint`)]).toEqual([422, true, true]);
  });
});

describe('the page of a delivery that was sent again', () => {
  it('names what sent it in each cycle, as far as it is stored, and leads to who did', async () => {
    const delivery = await endpoint.seedDelivery({ status: 'delivered', cycle: 3 });
    const replay = newId('rpl');
    await recordRef(delivery, replay, 2);
    await recordRef(delivery, 'ticket <4711>', 3);
    const text = await page(`/deliveries/${delivery}`);
    const words = visibleText(text);
    expect(words).toMatch(new RegExp(`cycle 2: ${replay} , who began it is not known`));
    expect(words).toContain('cycle 3: ref “ticket &lt;4711&gt;”');
    expect(text).toContain(`href="/console/endpoints/${endpoint.id}/replays/${replay}"`);
    expect(text).toContain(`href="/console/institutions/${institution.id}/audit-log?target=${delivery}">who replayed, retried or cancelled it`);
  });

  it('names who replayed it by itself and without a ref, and when, next to what has one', async () => {
    const [delivery = ''] = await seedDead(30);
    const again = async (body: object, key?: string): Promise<void> => {
      await changeDeliveries(sql, "SET status = 'dead' WHERE id = $1", [delivery]);
      const { status } = key === undefined ? await call('POST', `/webhooks/deliveries/${delivery}/replay`, body) : await api.platform('POST', `/institutions/${institution.id}/deliveries/${delivery}/replay`, { key, body });
      expect(status).toBe(200);
    };
    const sam = await addStaffMember(api, 'support', 'Sam Support');
    await again({}, sam.token);
    await again({ ref: 'ticket 4711' });
    await again({});
    const text = await page(`/deliveries/${delivery}`);
    const key = institution.keyId;
    const [{ name } = { name: '' }] = await sql<{ name: string }>('SELECT name FROM api_keys WHERE id = $1', [key]);
    expect(visibleText(text)).toMatch(new RegExp(
      `Sent by cycle 4: replayed by itself, without a ref, by API key “${name}” .+ UTC.* cycle 3: ref “ticket 4711” .+ cycle 2: replayed by itself, without a ref, by Staff “Sam Support” .+ UTC`));
    const { data } = await api.platform('GET', `/institutions/${institution.id}/audit-log`, { query: { operation: 'replayDelivery' } });
    for (const { request_id } of [data.items[0], data.items[2]]) expect(text).toContain(`href="/console/institutions/${institution.id}/audit-log?request=${request_id}"`);
    // One of the calls that opened cycles without a ref is missing: which cycle the others opened is not known.
    await changeDeliveries(sql, 'SET cycle = 5 WHERE id = $1', [delivery]);
    expect(visibleText(await page(`/deliveries/${delivery}`))).toMatch(/Sent by cycle 3: ref “ticket 4711” .+ replayed by itself, without a ref, by API key .+ replayed by itself, without a ref, by Staff/);
  });

  it('says nothing of what sent it where no ref is stored', async () => {
    const delivery = await endpoint.seedDelivery({ status: 'delivered', cycle: 2 });
    expect(visibleText(await page(`/deliveries/${delivery}`))).not.toContain('Sent by');
  });
});

describe('the page of a recovery', () => {
  /** The id of a recovery of exam.graded that a colleague has begun, once it has sent a delivery. */
  async function recoverByStaff(): Promise<{ recovery: string; delivery: string; requestId: string }> {
    await sql("UPDATE webhook_endpoints SET events = ARRAY['exam.*'] WHERE id = $1", [endpoint.id]);
    await seedEvents(api, institution, { createdAt: minutesAgo(30), count: 2 });
    const sam = await addStaffMember(api, 'support', 'Sam Support');
    const { data, headers } = await api.platform('POST', `/institutions/${institution.id}/webhook-endpoints/${endpoint.id}/recover`, { key: sam.token, body: { since: minutesAgo(60).toISOString(), event_types: ['exam.graded'] } });
    const recovery = String(data.workflow_id);
    const delivery = await endpoint.seedDelivery({ status: 'delivered', eventType: 'exam.graded', createdAt: minutesAgo(30) });
    await recordRef(delivery, recovery, 1);
    return { recovery, delivery, requestId: String(headers.get('x-request-id')) };
  }

  it('says who began it, when, by which request, by what it was chosen, what it has sent, and leads to that', async () => {
    await sql("UPDATE institutions SET time_zone = 'Asia/Kolkata' WHERE id = $1", [institution.id]);
    const { recovery, delivery, requestId } = await recoverByStaff();
    const text = await page(`/endpoints/${endpoint.id}/replays/${recovery}`);
    const words = visibleText(text);
    expect(words).toMatch(new RegExp(`Begun by Staff “Sam Support” stf_\\w+ Begun (now|\\d+ s ago) .+ UTC .+ Asia/Kolkata request ${requestId} Chosen by since, event types; Temporal, which has the values, does not have this workflow now`));
    expect(words).toMatch(/Sent 1 exam\.graded events from .+ Asia\/Kolkata until .+ Asia\/Kolkata Deliveries what it has sent/);
    const [, path = ''] = /href="\/console([^"]+)">what it has sent/.exec(text) ?? [];
    await endpoint.seedDelivery({ status: 'delivered' });
    expect(rowIds(await page(path))).toEqual([delivery]);
    expect(rowIds(await page(`${path}&status=dead`))).toEqual([]);
    const [, one = ''] = /href="\/console([^"]+status=delivered)"/.exec(text.replaceAll('&amp;', '&')) ?? [];
    expect(rowIds(await page(one))).toEqual([delivery]);
  });

  it('says what was chosen, as Temporal has it', async () => {
    const { recovery } = await recoverByStaff();
    const range = { sinceMs: Date.parse('2026-11-20T09:00:00Z'), untilMs: Date.parse('2026-11-20T10:00:00Z') };
    await openTestTemporal(api.settings).client.workflow.start('endpointRecovery', {
      workflowId: recovery, taskQueue: `nobody-${recovery}`, args: [{ recoveryId: recovery, institutionId: institution.id, endpointId: endpoint.id, ...range, matched: 1, eventTypes: ['exam.graded'] }],
    });
    expect(visibleText(await page(`/endpoints/${endpoint.id}/replays/${recovery}`))).toContain('Chosen after 20 Nov 2026, 09:00:00 UTC, up to 20 Nov 2026, 10:00:00 UTC, of exam.graded Sent');
  });

  it('says that it is not known where the audit log no longer has the call', async () => {
    const words = visibleText(await page(`/endpoints/${endpoint.id}/replays/${newId('rcv')}`));
    expect(words).toContain('Begun by not known: the audit log no longer has the call Sent nothing so far');
  });

  it('is named by its delivery with who began it', async () => {
    const { recovery, delivery } = await recoverByStaff();
    const text = await page(`/deliveries/${delivery}`);
    expect(visibleText(text)).toMatch(new RegExp(`cycle 1: ${recovery} , Staff “Sam Support” began it`));
    expect(text).toContain(`href="/console/institutions/${institution.id}/audit-log?target=${recovery}">Staff`);
  });
});

describe('the page of a replay whose deliveries were replayed again', () => {
  const [first, second] = [newId('rpl'), newId('rpl')];

  /** A delivery that `first` has sent in cycle 2, with the code that its last attempt was answered with, and that was delivered in cycle 3. */
  async function sentTwice(code: number, again: string | null): Promise<string> {
    const delivery = await endpoint.seedDelivery({ status: 'dead', cycle: 2, attempts: 2 });
    await recordRef(delivery, first, 2);
    await seedDeliveryAttempt(api, delivery, { number: 1, responseCode: 500 });
    await seedDeliveryAttempt(api, delivery, { number: 2, responseCode: code, errorClass: code < 300 ? null : 'http' });
    await changeDeliveries(sql, "SET status = 'delivered', cycle = 3, attempts = 3 WHERE id = $1", [delivery]);
    await seedDeliveryAttempt(api, delivery, { number: 3, responseCode: 200, errorClass: null });
    if (again !== null) await recordRef(delivery, again, 3);
    return delivery;
  }

  it('counts what it has brought itself, and says of each of them what replayed it again and how its own last attempt ended', async () => {
    const refused = await sentTwice(422, second);
    const delivered = await sentTwice(200, 'ticket 4711');
    const unnamed = await sentTwice(503, null);
    const alone = await endpoint.seedDelivery({ status: 'delivered', cycle: 2 });
    await recordRef(alone, first, 2);
    const text = await page(`/endpoints/${endpoint.id}/replays/${first}`);
    const words = visibleText(text);
    expect(words).toMatch(/Released 4 of 4 Delivered by this replay 2 of 4 Given up 2 Replayed again later 3 Workflow/);
    expect(words).toContain(`${refused} was replayed again by ${second} ; the last attempt of this replay was refused with 422`);
    expect(text).toContain(`href="/console/endpoints/${endpoint.id}/replays/${second}"`);
    expect(words).toContain(`${delivered} was replayed again under the ref “ticket 4711”; the last attempt of this replay delivered it`);
    expect(words).toContain(`${unnamed} was replayed again by a single replay without a ref; the last attempt of this replay was refused with 503`);
    expect(words).toMatch(/Their states now delivered 4/);
    expect(visibleText(await page(`/endpoints/${endpoint.id}/replays/${second}`))).toMatch(/Delivered by this replay 1 of 1 Given up 0 Workflow/);
  });

  it('is said in the list of what it has sent, and not in that of the later one', async () => {
    const delivery = await sentTwice(422, second);
    const list = async (replay: string): Promise<string> => visibleText(await page(`/institutions/${institution.id}/deliveries?sent_by=${replay}`));
    expect(await list(first)).toContain(`replayed again by ${second} ; the last attempt of this replay was refused with 422`);
    expect(await list(second)).toContain(delivery);
    expect(await list(second)).not.toContain('replayed again');
  });
});

it('the list of deliveries has those of a recovery also while they are open, by its id in any case', async () => {
  const recovery = newId('rcv');
  const [open, dead] = [await endpoint.seedDelivery({ status: 'pending' }), await endpoint.seedDelivery({ status: 'dead' })];
  for (const delivery of [open, dead]) await recordRef(delivery, recovery, 1);
  await endpoint.seedDelivery({ status: 'pending' });
  const list = async (query: Record<string, string>): Promise<string[]> => rowIds(await page(`/institutions/${institution.id}/deliveries?${new URLSearchParams(query).toString()}`)).toSorted();
  expect(await list({ sent_by: recovery.toUpperCase() })).toEqual([open, dead].toSorted());
  expect([await list({ sent_by: recovery, status: 'open' }), await list({ sent_by: recovery, status: 'pending' }), await list({ sent_by: recovery, status: 'dead' })]).toEqual([[open], [open], [dead]]);
});

describe('the audit log', () => {
  const log = (target: string): Promise<string> => page(`/institutions/${institution.id}/audit-log?target=${target}`);
  const replay = (delivery: string, body: object) => call('POST', `/webhooks/deliveries/${delivery}/replay`, body);

  it('shows the ref of a replay, and of several replays of a delivery that it was one of their refs', async () => {
    const [delivery = ''] = await seedDead(30);
    expect((await replay(delivery, { ref: 'ticket 4711' })).status).toBe(200);
    expect(visibleText(await log(delivery))).toContain('Fields: ref “ticket 4711” id');
    await transact(api.api.domain, institution.caller, (tx) => changeDeliveries(tx.sql, "SET status = 'dead' WHERE id = $1", [delivery]));
    expect((await replay(delivery, { ref: 'ticket 4712' })).status).toBe(200);
    expect(visibleText(await log(delivery))).toContain('Fields: ref one of “ticket 4712”, “ticket 4711”');
  });

  it('leads from a student whom a bulk call created to its entry, also when its rows are no longer stored, and says nothing of a student with an entry of their own', async () => {
    const { headers } = await call('POST', '/students/bulk', { students: [{ license_days: -1 }] });
    const [{ batch } = { batch: '' }] = await sql<{ batch: string }>("SELECT target->>'created' AS batch FROM audit_log WHERE request_id = $1", [headers.get('x-request-id')]);
    const [student = ''] = await createStudents(1);
    await sql('INSERT INTO provisioning_rows (batch_id, index, institution_id, user_id) VALUES ($1, 1, $2, $3)', [batch, institution.id, student]);
    const text = await log(student);
    expect(visibleText(text)).toContain('This student was created by a bulk call, which has one entry for all of its students:');
    expect(text).toContain(`href="/console/institutions/${institution.id}/audit-log?target=${batch}"`);
    expect(visibleText(await log(batch))).toContain('createStudentsBulk');

    await sql('DELETE FROM provisioning_rows WHERE batch_id = $1', [batch]);
    const [, path = ''] = /href="\/console([^"]+)">the bulk calls when this student was created/.exec(await log(student)) ?? [];
    expect(visibleText(await page(path.replaceAll('&amp;', '&')))).toContain(`createStudentsBulk POST /v1/students/bulk`);

    const own = await call('POST', '/students', { full_name: 'Grace' });
    expect(await log(String(own.data.id))).not.toContain('id="bulk-call"');
  });
});
