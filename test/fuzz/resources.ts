import type { TestApi, TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { backdateInvitation } from '../support/guardians';
import { createResource, type ResourceKind } from '../support/resourceFactories';

type ResourceIds = Readonly<Record<ResourceKind, readonly string[]>>;

/** Ids by what they are ids of, so many for any call, and so many for calls that use them up: else soon nothing would be left. */
export interface SeededIds {
  kept: Readonly<Record<string, readonly string[]>>;
  spare: Readonly<Record<string, readonly string[]>>;
}

const many = { kept: 6, spare: 20 };
/** An institution may have 20 endpoints, and every seeded delivery has its own. */
const few: Partial<Record<ResourceKind, typeof many>> = { endpoint: { kept: 3, spare: 6 }, delivery: { kept: 2, spare: 0 } };

const kinds = Object.keys(createResource) as ResourceKind[];

/** Creates resources of every kind, one after the other, and returns their ids. */
async function createEachKind(api: TestApi, institution: TestInstitution, use: keyof SeededIds): Promise<ResourceIds> {
  const seeded: [ResourceKind, string[]][] = [];
  for (const kind of kinds) {
    const ids: string[] = [];
    for (let nth = 0; nth < (few[kind] ?? many)[use]; nth += 1) ids.push(await createResource[kind](api, institution));
    seeded.push([kind, ids]);
  }
  return Object.fromEntries(seeded) as Record<ResourceKind, string[]>;
}

/** Calls that put the things into relation, so that paths with two ids find what they name. */
async function relate(api: TestApi, { apiKey: key }: TestInstitution, { student, group, exam }: ResourceIds): Promise<void> {
  const put = async (path: string, body: object): Promise<void> => {
    const { status } = await api.call('POST', path, { key, body });
    if (status !== 200) throw new Error(`POST ${path} answered ${status}`);
  };
  for (const id of group) await put(`/groups/${id}/members`, { student_ids: student });
  for (const id of exam) await put(`/exams/${id}/assignments`, { group_ids: group });
}

/** What makes calls possible that would be refused for a while, or for want of means. */
async function prepare(api: TestApi, { id }: TestInstitution, { guardian }: ResourceIds): Promise<void> {
  for (const link of guardian) await backdateInvitation(api, link);
  const { status } = await api.platform('PUT', `/institutions/${id}/allowance`, { body: { allowance_cents: 1_000_000_000 } });
  if (status !== 200) throw new Error(`Setting the allowance was answered ${status}`);
}

/** The things, and among their deliveries some that the worker has made of events that are kept. */
async function withDeliveries(api: TestApi, { apiKey: key }: TestInstitution, things: ResourceIds): Promise<ResourceIds> {
  const made = await eventually('deliveries of the seeded resources', async () => {
    const { data } = await api.call('GET', '/webhooks/deliveries', { key, query: { status: 'delivered', limit: 6 } });
    return data.items.length > 0 && data.items.map(({ id }: { id: string }) => id);
  });
  return { ...things, delivery: [...things.delivery, ...made] };
}

/** The things, and among their licenses those whose seats they are. */
async function withLicensesOfSeats({ api }: TestApi, things: ResourceIds): Promise<ResourceIds> {
  const rows = await api.domain.database.sql<{ license_id: string }>('SELECT DISTINCT license_id FROM seats WHERE id = ANY($1)', [things.seat]);
  return { ...things, license: [...things.license, ...rows.map(({ license_id }) => license_id)] };
}

/** An institution's things of every kind; endpoints deliver to `receiverUrl`. Needs a worker. */
export async function seedResources(api: TestApi, institution: TestInstitution, receiverUrl: string): Promise<SeededIds> {
  const kept = await createEachKind(api, institution, 'kept');
  const spare = await createEachKind(api, institution, 'spare');
  // What is set off is to stay on this machine.
  await api.api.domain.database.sql('UPDATE webhook_endpoints SET url = $2 WHERE institution_id = $1', [institution.id, receiverUrl]);
  for (const things of [kept, spare]) await relate(api, institution, things);
  await prepare(api, institution, kept);
  return { kept: await withDeliveries(api, institution, await withLicensesOfSeats(api, kept)), spare };
}
