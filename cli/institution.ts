import { Argument, InvalidArgumentError } from 'commander';
import { foldedName } from '../lib/foldedName';
import { useTimeZoneOf, type CliContext } from './context';
import { usageError } from './errors';
import { getItems, getString } from './fields';
import { list, type ListRequest } from './list';
import { parseId, type PageOptions } from './options';

/** Of each; an answer that has more of them names nothing. */
const maxCandidates = 200;
const isId = (text: string): boolean => text.startsWith('ins_');

/** Returns an id or a name as it is. */
function parseInstitution(text: string): string {
  if (isId(text) || /^\.*$/.test(text)) return parseId(text);
  if (text.length > 200) throw new InvalidArgumentError('That is no name of an institution.');
  return text;
}

/** The argument of every command that is about an institution. */
export const institutionArgument = ({ optional = false } = {}): Argument =>
  new Argument(optional ? '[institution]' : '<institution>', 'its id, ins_…, or its name').argParser(parseInstitution);

const describe = (institution: unknown): string => {
  const [id, ...details] = ['id', 'name', 'login_domain', 'status', 'time_zone'].map((field) => getString(institution, field));
  return `${id} (${details.join(', ')})`;
};

/**
 * Returns the id of an institution. A name is looked up, without regard to case and accents; one that several have, or none,
 * is a wrong usage, and the message lists those that are meant, perhaps.
 */
export async function resolveInstitution(context: CliContext, text: string): Promise<string> {
  const id = isId(text) ? text : await findByName(context, text);
  await useTimeZoneOf(context, id);
  return id;
}

/** Returns the id of the only institution of this name. */
async function findByName({ api }: CliContext, text: string): Promise<string> {
  const found = getItems(await api.call('GET', '/institutions', { query: { name: text, limit: maxCandidates }, asPlatform: true }), 'items');
  const exact = found.filter((one) => foldedName(getString(one, 'name')) === foldedName(text));
  const [first, ...others] = exact;
  if (first !== undefined && others.length === 0) return getString(first, 'id');
  if (first !== undefined) throw usageError(`Several institutions have this name; take an id: ${exact.map(describe).join(', ')}`);
  throw usageError(found.length === 0 ? 'No institution has this name.' : `No institution has exactly this name; there are ${found.slice(0, 10).map(describe).join(', ')}`);
}

/** Prints a list that an institution has. */
export async function listOfInstitution(context: CliContext, institution: string, request: (id: string) => ListRequest, options: PageOptions): Promise<void> {
  await list(context, request(await resolveInstitution(context, institution)), options);
}
