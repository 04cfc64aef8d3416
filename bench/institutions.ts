import { InstitutionEntity } from '../db/entities/institution';
import type { Domain } from '../domain/context';
import { newId } from '../domain/ids';
import { createInstitution } from '../domain/institutions/createInstitution';
import { createKey } from '../domain/keys/createKey';
import { scopes } from '../domain/scopes';
import { transact } from '../domain/transact';

/** One key may ask 6,000 times a minute; a bench spreads its load over as many as an institution may have. */
const maxKeys = 25;

/** What a transaction needs of a process. */
export type BenchDomain = Pick<Domain, 'database' | 'secrets' | 'onCommitted'>;

/** An approved institution with keys of every scope. */
export interface BenchInstitution {
  id: string;
  loginDomain: string;
  keys: string[];
}

/** Opens an institution of that name, which no other has: nothing that one bench leaves counts in another. */
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
