import { insertDisclosures } from '../../../db/repositories/disclosures/disclosures';
import { newId } from '../../../domain/ids';
import { withConnection } from '../../../local/programs/postgres';
import type { TestApi, TestInstitution } from '../api';

/** Puts this many reads of a person's record by the institution's key on record. */
export async function seedDisclosures({ api }: TestApi, { id, keyId }: TestInstitution, subject: string, count = 1): Promise<void> {
  const read = { institution_id: id, actor_kind: 'key', actor_id: keyId, what: 'record', subject, operation: 'getStudent', query: { id: subject }, request_id: newId('req') } as const;
  await insertDisclosures(api.domain.database.sql, Array.from({ length: count }, () => ({ id: newId('dsc'), ...read })));
}

/** Makes the partition of the month of a time; only the table's owner can. */
export async function seedDisclosurePartition({ stack }: TestApi, at: Date): Promise<void> {
  await withConnection(stack.ownerDatabaseUrl, (client) => client.query("SELECT make_disclosure_partition(date_trunc('month', $1::timestamptz AT TIME ZONE 'UTC')::date)", [at]));
}
