import type { InstitutionScope } from '../../db/database';
import { namesOfTarget } from '../../db/repositories/support/found';
import { bareText } from '../../lib/bareText';

/** What a typed id or login email is called in events and in the audit log. */
export interface TypedTarget {
  names: readonly string[];
  /** Says that nobody of the institution has this login email; undefined of any other text. */
  unknown: string | undefined;
}

/** Returns what something is called that a person has typed: an id or a login email of the institution, in any case. */
export async function readTarget(scope: InstitutionScope, typed: string): Promise<TypedTarget> {
  const name = bareText(typed);
  const names = await namesOfTarget(scope, name);
  return { names, unknown: name.includes('@') && names.length === 1 ? `Nobody of this institution has the login email ${name}.` : undefined };
}
