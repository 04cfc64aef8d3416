import { DomainError } from './errors';

/** The statuses that a resource can change to from each status. */
export type TransitionTable<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

/** Whether a table allows a change; an unchanged status is not a transition unless the table lists it. */
export function canTransition<Status extends string>(table: TransitionTable<Status>, from: Status, to: Status): boolean {
  return table[from].includes(to);
}

/** Whether a status changes: false if unchanged. `conflict` with this message if the table does not allow the change. */
export function shouldTransition<Status extends string>(table: TransitionTable<Status>, from: Status, to: Status, conflictMessage: string): boolean {
  if (from === to) return false;
  if (!canTransition(table, from, to)) throw new DomainError('conflict', conflictMessage);
  return true;
}
