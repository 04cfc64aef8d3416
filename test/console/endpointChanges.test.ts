import { consoleFixture, visibleText } from '../support/consoleFixture';
import { minutesAgo } from '../support/time';

const fixture = consoleFixture();
const { api, institution, endpoint, sql } = fixture;

const shown = async (): Promise<string> => visibleText(await fixture.page(`/endpoints/${endpoint.id}`)).replaceAll(/ (?=[.,):])/g, '');
const change = async (method: 'PATCH' | 'POST', path: string, body: object): Promise<string> => {
  const { status, headers } = await api.call(method, `/webhooks/endpoints/${endpoint.id}${path}`, { key: institution.apiKey, body });
  expect(status).toBe(200);
  return headers.get('x-request-id') ?? '';
};
const failSince = (at: Date) => sql('UPDATE webhook_endpoints SET consecutive_failures = 3, failing_since = $2, last_failure_at = $2 WHERE id = $1', [endpoint.id, at]);

describe('the page of an endpoint', () => {
  it('says after a rotation of the secret what sends the deliveries that wait: a test the held ones, Retry now those that wait for a retry', async () => {
    await change('POST', '/rotate-secret', { grace_hours: 0 });
    await failSince(new Date(Date.now() + 60_000));
    await endpoint.seedDelivery({ status: 'retrying', attempts: 6, responseCode: 401, nextAttemptAt: minutesAgo(-5) });
    const retrying = 'what waits for a retry is sent when that is due, or at once by Retry now at the delivery; what was given up is replayed.';
    expect(await shown()).toContain(`gives it the new one. Then ${retrying}`);
    expect(await fixture.page(`/endpoints/${endpoint.id}`)).toContain(`/deliveries?status=retrying&amp;endpoint=${endpoint.id}">waits for a retry</a>`);
    await endpoint.seedDelivery({ status: 'held' });
    expect(await shown()).toContain(`Then a test of the endpoint has what is held sent; ${retrying}`);
  });

  it('says what was changed last, when, by whom and by which request', async () => {
    expect(await shown()).not.toContain('Last change');
    const request = await change('PATCH', '', { description: 'Gradebook', rate_limit: 7 });
    expect(await shown()).toMatch(new RegExp(`Last change description and rate_limit were set (now|\\d+ s ago) \\(.+? UTC\\), request ${request} API key “test” ${institution.keyId}`));
  });

  it('names a change of the hour before its first failure, and no earlier or later one', async () => {
    const request = await change('PATCH', '', { events: ['student.*'] });
    await failSince(new Date(Date.now() + 60_000));
    expect(await shown()).toMatch(new RegExp(`1 min before its first failure events was set\\. (now|\\d+ s ago) \\(.+? UTC\\), request ${request} API key “test”`));
    await failSince(new Date(Date.now() + 3_700_000));
    expect(await shown()).not.toContain('before its first failure');
    await failSince(minutesAgo(1));
    expect(await shown()).not.toContain('before its first failure');
  });

  it('says until when the secret before a rotation signs, or that it ended at once', async () => {
    await change('POST', '/rotate-secret', { grace_hours: 24 });
    expect(await shown()).toMatch(/Secret rotated (now|\d+ s ago) .+? UTC The secret before signs, too, until in (1 d|24 h) \(.+? UTC\)\./);
    await sql("UPDATE webhook_endpoints SET previous_secret_expires_at = now() - interval '1 hour' WHERE id = $1", [endpoint.id]);
    expect(await shown()).toMatch(/The secret before signed, too, until (1 h|60 min) ago \(.+? UTC\)\./);
    const request = await change('POST', '/rotate-secret', { grace_hours: 0 });
    await failSince(new Date(Date.now() + 60_000));
    expect(await shown()).toMatch(new RegExp(`1 min before its first failure its secret was rotated\\. .+ request ${request} .+ If the receiver refuses the signature: the answer of that call alone has the new secret\\. .+ the school rotates the secret again .+ The secret before ended at once\\.`));
  });
});
