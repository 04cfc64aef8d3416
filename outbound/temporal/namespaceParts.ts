/** What became of something that the namespace needs; `newer`: a newer release wrote it. The last two are refused, and to be done by hand. */
export type NamespacePartOutcome = 'present' | 'made' | 'updated' | 'newer' | 'missing' | 'outdated';

/** Something that the service needs in its namespace. */
export interface NamespacePart {
  kind: 'search attribute' | 'Schedule';
  name: string;
  outcome: NamespacePartOutcome;
  /** How it is made by hand. */
  byHand: string;
}
