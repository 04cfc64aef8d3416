import { institutionScope, type Database } from '../../db/database';
import { findSandboxId } from '../../db/repositories/sandbox/sandboxes';
import { findById, isSearchedPrefix } from '../../db/repositories/support/search';
import { sandboxDomain } from './openSandbox';

/** The kinds that integrators look up by an id, which is that of one row. */
const ownPrefixes: readonly string[] = ['stu', 'fac', 'grp', 'lic', 'exm', 'sub', 'gdn', 'cpb', 'cur', 'enr', 'we', 'whd'];

/** Whether one of these ids and login emails is of the sandbox of an institution; false for those of every other institution and its sandbox. */
export async function isOfSandbox(database: Database, institutionId: string, idsOrEmails: readonly string[]): Promise<boolean> {
  const emails = idsOrEmails.filter((one) => one.includes('@'));
  const ids = idsOrEmails.flatMap((id) => {
    const prefix = /^([a-z]+)_[0-9a-z]{26}$/.exec(id)?.[1] ?? '';
    return isSearchedPrefix(prefix) && ownPrefixes.includes(prefix) ? [{ prefix, id }] : [];
  });
  if (emails.length === 0 && ids.length === 0) return false;
  const sandboxId = await findSandboxId(institutionScope(database, institutionId));
  if (sandboxId === undefined) return false;
  if (emails.some((email) => email.toLowerCase().endsWith(`@${sandboxDomain(sandboxId)}`))) return true;
  const { sql } = institutionScope(database, sandboxId);
  const found = await Promise.all(ids.map(({ prefix, id }) => findById(sql, prefix, id)));
  return found.some((row) => row?.institution_id === sandboxId);
}
