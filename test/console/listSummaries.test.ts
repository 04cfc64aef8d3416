import { sampleEvent } from '../../domain/events/sampleEvent';
import { consoleFixture, rowIds, visibleText } from '../support/consoleFixture';
import { seedEvents } from '../support/seed/events';

const fixture = consoleFixture();
const { api, institution, endpoint, sql } = fixture;

const deliveriesPath = (query = ''): string => `/institutions/${institution.id}/deliveries${query}`;
const shown = async (path: string): Promise<string> => visibleText(await fixture.page(path)).replaceAll(/ (?=[.,):])/g, '');
const rowOf = (text: string, id: string) => visibleText(new RegExp(`id="row-${id}">([\\s\\S]*?)</tr>`).exec(text)?.[1] ?? '');

const at = (text: string) => new Date(`2026-11-27T${text}Z`);

beforeEach(() => sql("UPDATE institutions SET time_zone = 'America/Bogota' WHERE id = $1", [institution.id]));

it('a list of late deliveries says how many there are, created and delivered from when to when, and how late the latest was, by the time zone of the school', async () => {
  const [first, second] = [{ createdAt: at('17:13:29'), deliveredAt: at('17:14:29') }, { createdAt: at('17:14:40'), deliveredAt: at('17:17:18') }];
  for (const times of [first, second]) await endpoint.seedDelivery({ status: 'delivered', attempts: 1, responseCode: 200, ...times });
  const inTime = await endpoint.seedDelivery({ status: 'delivered', attempts: 1, responseCode: 200, createdAt: at('17:00:00'), deliveredAt: at('17:00:01') });
  expect(await shown(deliveriesPath('?late=yes'))).toContain(
    '2 deliveries, created 27 Nov 2026, 12:13:29 to 12:14:40 America/Bogota, delivered 27 Nov 2026, 12:14:29 to 12:17:18 America/Bogota, at most 2 min 38 s after the creation.',
  );
  const all = await fixture.page(deliveriesPath());
  expect(rowIds(all)).toContain(inTime);
  expect(await shown(deliveriesPath())).toContain('3 deliveries, created 27 Nov 2026, 12:00:00 to 12:14:40 America/Bogota.');
});

it('a list that ends on another day names both, and one delivery has one time', async () => {
  await endpoint.seedDelivery({ status: 'dead', attempts: 1, createdAt: at('17:13:29') });
  expect(await shown(deliveriesPath('?status=dead'))).toContain('1 delivery, created at 27 Nov 2026, 12:13:29 America/Bogota.');
  await endpoint.seedDelivery({ status: 'dead', attempts: 1, createdAt: new Date('2026-11-28T05:00:00Z') });
  expect(await shown(deliveriesPath('?status=dead'))).toContain('2 deliveries, created 27 Nov 2026, 12:13:29 America/Bogota to 28 Nov 2026, 00:00:00 America/Bogota.');
  expect(await shown(deliveriesPath('?status=cancelled'))).not.toContain('created at');
});

it('beyond 1,000 deliveries the list says that there are more, and so where not all were looked at', async () => {
  await sql(
    `INSERT INTO webhook_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, created_at)
     SELECT 'whd_sum' || n, $1, $2, 'evt_sum' || n || $1, 'exam.graded', timestamptz '2026-11-27 17:00:00Z' - n * interval '1 second', CASE n WHEN 5 THEN 'dead' WHEN 7 THEN 'cancelled' ELSE 'delivered' END, timestamptz '2026-11-27 17:00:00Z' - n * interval '1 second'
       FROM generate_series(1, 20100) n`,
    [institution.id, endpoint.id],
  );
  expect(await shown(deliveriesPath('?status=delivered'))).toContain('1,000 deliveries or more: the newest were created 27 Nov 2026, 11:43:17 to 11:59:59 America/Bogota.');
  expect(await shown(deliveriesPath('?status=cancelled'))).toContain('1 delivery among those searched so far, created at 27 Nov 2026, 11:59:53 America/Bogota.');
  expect(await shown(deliveriesPath('?status=dead'))).toContain('1 delivery, created at 27 Nov 2026, 11:59:55 America/Bogota.');
});

it('lists of events and of deliveries say what each is about by its id, which leads to the search; of a pruned event nothing', async () => {
  const [graded = ''] = await seedEvents(api, institution, { createdAt: at('17:00:00'), type: 'exam.graded' });
  const [published = ''] = await seedEvents(api, institution, { createdAt: at('17:00:01'), type: 'exam.published' });
  const ofGraded = await endpoint.seedDelivery({ eventId: graded, status: 'delivered', createdAt: at('17:00:00') });
  const ofPruned = await endpoint.seedDelivery({ status: 'delivered', createdAt: at('17:00:02') });
  const idOf = (type: 'exam.graded' | 'exam.published', field: string): string => String(Reflect.get(sampleEvent(type).data, field));
  const [student, exam] = [idOf('exam.graded', 'student_id'), idOf('exam.published', 'exam_id')];
  const [events, deliveries, school] = [await fixture.page(`/institutions/${institution.id}/events`), await fixture.page(deliveriesPath()), await fixture.page(`/institutions/${institution.id}`)];
  expect([rowOf(events, graded), rowOf(events, published)]).toEqual([expect.stringContaining(student), expect.stringContaining(exam)]);
  expect(events).toContain(`<a href="/console/search?q=${student}"><code>${student}</code></a>`);
  for (const text of [deliveries, school]) expect([rowOf(text, ofGraded), rowOf(text, ofPruned)]).toEqual([expect.stringContaining(student), expect.not.stringContaining('stu_')]);
});
