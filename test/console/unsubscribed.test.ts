import { consoleFixture, visibleText } from '../support/consoleFixture';
import { seedEvents } from '../support/seed/events';

const fixture = consoleFixture();
const { api, institution, endpoint, sql } = fixture;

it('an event to which no endpoint subscribes says so, in place of a number of none', async () => {
  const [event = ''] = await seedEvents(api, institution, { type: 'exam.graded', createdAt: new Date() });
  await sql("UPDATE webhook_endpoints SET events = '{student.*}', created_at = now() - interval '1 hour' WHERE id = $1", [endpoint.id]);
  const text = visibleText(await fixture.page(`/events/${event}`));
  expect(text).toContain('Delivered to none: no endpoint subscribes to it');
  expect(text).not.toContain('0 of 0');
});
