import type { CliContext } from './context';
import { CliError, usageError } from './errors';
import { getItems, getString } from './fields';

/** Returns the person whose personal token is used. */
export const readOwn = ({ api }: CliContext): Promise<unknown> => api.call('GET', '/staff/me');

const isForbidden = (error: unknown): boolean => error instanceof CliError && error.details.kind === 'refused' && error.details.code === 'forbidden';

/** Returns the id of a person; an email is looked up. The role support may look up nobody, and knows its own email. */
export async function resolvePerson(context: CliContext, text: string): Promise<string> {
  if (!text.includes('@')) return text;
  const listed = await context.api.call('GET', '/staff', { query: { email: text } }).catch(async (error: unknown) => {
    const own = isForbidden(error) ? await readOwn(context) : undefined;
    if (own === undefined || getString(own, 'email') !== text.toLowerCase()) throw error;
    return { items: [own] };
  });
  const [found] = getItems(listed, 'items');
  if (found === undefined) throw usageError('Nobody of the staff has this email.');
  return getString(found, 'id');
}
