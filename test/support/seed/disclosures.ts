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
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  const [since = '', until = ''] = [month, month + 1].map((nth) => new Date(Date.UTC(year, nth)).toISOString());
  const name = `partitions.disclosures_${since.slice(0, 7).replace('-', '_')}`;
  await withConnection(stack.ownerDatabaseUrl, (client) => client.query(`CREATE TABLE IF NOT EXISTS ${name} PARTITION OF disclosures FOR VALUES FROM ('${since}') TO ('${until}')`));
}
