import { InstitutionEntity } from '../db/entities/institution';
import type { Domain } from '../domain/context';
import { newId } from '../domain/ids';
import { createInstitution } from '../domain/institutions/createInstitution';
import { createKey } from '../domain/keys/createKey';
import { scopes } from '../domain/scopes';
import { transact } from '../domain/transact';

/** One key may make 6,000 requests per minute; a bench distributes its load over the maximum number of keys. */
const maxKeys = 25;

/** What a transaction needs from its process. */
export type BenchDomain = Pick<Domain, 'database' | 'secrets' | 'onCommitted'>;

/** An approved institution with keys of every scope. */
export interface BenchInstitution {
  id: string;
  loginDomain: string;
  keys: string[];
}

/** Creates an institution with a unique name, so that data of one bench does not affect another. */
export async function createBenchInstitution(domain: BenchDomain, name: string, keyCount = maxKeys): Promise<BenchInstitution> {
  const id = newId('ins');
  const loginDomain = `${name}.bench.example`;
  const caller = { institutionId: id, now: new Date() };
  await transact(domain, caller, (tx) =>
    createInstitution(tx, { name: `Bench ${name}`, login_domain: loginDomain, admin_email: `admin@${loginDomain}`, admin_name: 'Admin' }),
  );
  await domain.database.manager.update(InstitutionEntity, { id }, { status: 'approved' });
  const keys: string[] = [];
  for (let nth = 1; nth <= keyCount; nth += 1) {
    const wanted = { name: `bench ${nth}`, scopes: scopes.map(({ scope }) => scope), rate_limit_per_min: 6_000 };
    keys.push((await transact(domain, caller, (tx) => createKey(tx, 'platform', wanted))).apiKey);
  }
  return { id, loginDomain, keys };
}
