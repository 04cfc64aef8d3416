import { findClockOffset, lockInstitution, insertInstitution } from '../../db/repositories/institutions/institutions';
import { findSandboxId, markSandbox, readSandboxParent } from '../../db/repositories/sandbox/sandboxes';
import { onClock } from '../clock';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { furnishSandbox } from './furnishSandbox';

/**
 * Returns the institution's sandbox, as a transaction of its own rows, and makes it if there is none: a copy of the
 * institution's name, status, time zone and config, with an admin and an allowance. The caller has locked the institution, so
 * that two first test keys make one sandbox. `conflict` for a sandbox, which has none.
 */
export async function openSandbox(tx: Transaction): Promise<Transaction> {
  const found = await findSandboxId(tx);
  if (found !== undefined) return inSandbox(tx, found);
  const parent = await readSandboxParent(tx);
  if (parent === undefined) throw sandboxOfSandbox();
  const sandbox = inSandbox(tx, newId('ins'));
  await insertInstitution(sandbox, {
    name: `${parent.name} (sandbox)`,
    status: parent.status,
    loginDomain: sandboxDomain(sandbox.institutionId),
    timeZone: parent.time_zone,
    config: parent.config,
    now: tx.now,
  });
  await markSandbox(sandbox, tx.institutionId);
  await furnishSandbox(sandbox);
  return sandbox;
}

/** The same transaction on the rows of the institution's sandbox. What it emits is dropped: the commit stamps events of the institution alone. */
export function inSandbox(tx: Transaction, sandboxId: string): Transaction {
  return { ...tx, ...tx.scopeOf(sandboxId), emit: () => undefined };
}

/** The same transaction on the rows of the institution's sandbox, which it locks, by the clock of the sandbox; undefined if it has none. */
export async function lockSandbox(tx: Transaction): Promise<Transaction | undefined> {
  const id = await findSandboxId(tx);
  if (id === undefined) return undefined;
  const sandbox = inSandbox(tx, id);
  await lockInstitution(sandbox);
  const clockOffsetMs = (await findClockOffset(tx.sql, id)) ?? 0;
  return { ...sandbox, now: onClock({ clockOffsetMs }, tx.now) };
}

/** A sandbox has no sandbox, no keys and no status of its own: all are its institution's. */
export const sandboxOfSandbox = (): DomainError => new DomainError('conflict', 'This institution is a sandbox; name the institution that it belongs to.');

/** A domain that no institution can have: it contains the sandbox's own id, and nothing is ever delivered to it (RFC 2606). */
export const sandboxDomain = (id: string): string => `${id.slice('ins_'.length)}.sandbox.invalid`;
