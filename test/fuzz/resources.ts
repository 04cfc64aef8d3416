import type { TestApi, TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { letInvitationRest } from '../support/guardians';
import { plant, type Kind } from '../support/resourceFactories';

type Things = Readonly<Record<Kind, readonly string[]>>;

/** Ids by what they are ids of, so many for any call, and so many for calls that use them up: else soon nothing would be left. */
export interface Planted {
  kept: Readonly<Record<string, readonly string[]>>;
  spare: Readonly<Record<string, readonly string[]>>;
}

const many = { kept: 6, spare: 20 };
/** An institution may have 20 endpoints, and every planted delivery has one of its own. */
const few: Partial<Record<Kind, typeof many>> = { endpoint: { kept: 3, spare: 6 }, delivery: { kept: 2, spare: 0 } };

const kinds = Object.keys(plant) as Kind[];

/** Plants so many things of every kind, one after the other. */
async function plantEach(api: TestApi, institution: TestInstitution, use: keyof Planted): Promise<Things> {
  const planted: [Kind, string[]][] = [];
  for (const kind of kinds) {
    const ids: string[] = [];
    for (let nth = 0; nth < (few[kind] ?? many)[use]; nth += 1) ids.push(await plant[kind](api, institution));
    planted.push([kind, ids]);
  }
  return Object.fromEntries(planted) as Record<Kind, string[]>;
}

/** Calls that put the things into relation, so that paths with two ids find what they name. */
async function relate(api: TestApi, { apiKey: key }: TestInstitution, { student, group, exam }: Things): Promise<void> {
  const put = async (path: string, body: object): Promise<void> => {
    const { status } = await api.call('POST', path, { key, body });
    if (status !== 200) throw new Error(`POST ${path} answered ${status}`);
  };
  for (const id of group) await put(`/groups/${id}/members`, { student_ids: student });
  for (const id of exam) await put(`/exams/${id}/assignments`, { group_ids: group });
}

/** What makes calls possible that would be refused for a while, or for want of means. */
async function prepare(api: TestApi, { id }: TestInstitution, { guardian }: Things): Promise<void> {
  for (const link of guardian) await letInvitationRest(api, link);
  const { status } = await api.platform('PUT', `/institutions/${id}/allowance`, { body: { allowance_cents: 1_000_000_000 } });
  if (status !== 200) throw new Error(`Setting the allowance was answered ${status}`);
}

/** The things, and among their deliveries some that the worker has made of events that are kept. */
async function withDeliveries(api: TestApi, { apiKey: key }: TestInstitution, things: Things): Promise<Things> {
  const made = await eventually('deliveries of the planted things', async () => {
    const { data } = await api.call('GET', '/webhooks/deliveries', { key, query: { status: 'delivered', limit: 6 } });
    return data.items.length > 0 && data.items.map(({ id }: { id: string }) => id);
  });
  return { ...things, delivery: [...things.delivery, ...made] };
}

/** The things, and among their licenses those whose seats they are. */
async function withLicensesOfSeats({ api }: TestApi, things: Things): Promise<Things> {
  const rows = await api.domain.database.sql<{ license_id: string }>('SELECT DISTINCT license_id FROM seats WHERE id = ANY($1)', [things.seat]);
  return { ...things, license: [...things.license, ...rows.map(({ license_id }) => license_id)] };
}

/** An institution's things of every kind; endpoints deliver to `receiverUrl`. Needs a worker. */
export async function plantThings(api: TestApi, institution: TestInstitution, receiverUrl: string): Promise<Planted> {
  const kept = await plantEach(api, institution, 'kept');
  const spare = await plantEach(api, institution, 'spare');
  // What is set off is to stay on this machine.
  await api.api.domain.database.sql('UPDATE webhook_endpoints SET url = $2 WHERE institution_id = $1', [institution.id, receiverUrl]);
  for (const things of [kept, spare]) await relate(api, institution, things);
  await prepare(api, institution, kept);
  return { kept: await withDeliveries(api, institution, await withLicensesOfSeats(api, kept)), spare };
}
