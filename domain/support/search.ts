import {
  findById, findByLoginDomain, findByLoginEmail, findCallsOfRequest, isSearchedPrefix, kindOfPrefix, searchedPrefixes, type FoundCall, type FoundRow, type SearchedPrefix,
} from '../../db/repositories/support/search';
import type { Sql } from '../../db/statement';
import { bareText, embeddedId, idForm } from '../../lib/bareText';
import { idLengthSentence } from '../../lib/typeId';
import { timeOfId } from '../ids';
import { keyHint, notSearchedText, unknownTextHint } from './unknownText';

/** Something that a search found. */
export interface FoundItem extends FoundRow {
  kind: string;
  /** More about it, in words. */
  description: string | null;
  /** Of a write of a request: who made it, and what it wrote. */
  call?: FoundCall;
}

/** What a search found, and in words what it looked for. */
export interface SearchResult {
  /** The text without what surrounds an id in an email or a log. Null for an email that nobody signs in with, and for other text with an `@`: it may have a personal one. */
  query: string | null;
  lookedFor: string;
  /** Whether the text may be part of a name: it is no id and no email. */
  mayBeName: boolean;
  items: FoundItem[];
  /** What is known though nothing was found; null if something was. */
  note: string | null;
  /** Of a text that is the id, email or domain of nothing: what it may be, for a page that searches names as well. */
  unknown?: string;
  /** Of a login email that nobody has: the institution of its domain. */
  school?: FoundRow | undefined;
  /** Of a request that the audit log does not have: the note in its parts, for a page. */
  logs?: LogSearch;
}

/** Where a request is found that the audit log does not have. */
export interface LogSearch {
  words: string;
  /** The commands that search the log lines, each for one way to run the service. */
  commands: readonly { where: string; command: string }[];
  /** When the request came, by its id. */
  cameAt: Date | undefined;
}

/** What one lookup says. */
type Answer = Pick<SearchResult, 'lookedFor' | 'items' | 'note' | 'logs' | 'unknown' | 'school'>;

/** What ids begin with. */
export const idPrefixes = `Ids begin with ${[...searchedPrefixes, 'req'].map((known) => `${known}_`).join(', ')}.`;

/** What stands before the id of a person or institution in the id of its export, erasure or offboarding. */
const workflowPrefix = /^(?:erase|export|offboard)_(?=[a-z]+_[a-z0-9]{26}(?![a-z0-9]))/;
const apiKeyForm = /svc_(live|test)_/;
const emailForm = /^[^\s@]+@[^\s@]+$/;
const domainForm = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** Where to look for what is gone: how long rows are kept that are deleted by age, and where a removed link is named. */
const retention: Partial<Record<SearchedPrefix, string>> = {
  whd: 'Deliveries are kept for 90 days.',
  evt: 'Events are kept for 30 days, their deliveries for 90.',
  aud: 'The audit log is kept for 400 days.',
  we: 'A deleted endpoint is kept for as long as its deliveries are.',
  bulk: 'The rows of bulk calls are kept for 30 days.',
  rcv: 'A recovery is known by the deliveries that it has sent; one that has only begun may have none yet.',
  sgn: 'Sign-ins are kept for a year.',
  exp: 'An export is known until its person is erased.',
  gdn: 'Who removed a link is in the audit log of its institution, by the id as target: `institution audit INSTITUTION --target gdn_…`, or Audit entries on the page of the student; the erasure of the student or the guardian removes it, too, without an entry of its own.',
  rpl: 'A replay is known by the deliveries that it has sent again; one that has only begun may have none yet.',
};

const sentences = (...parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined).join(' ');

function timeSentence(id: string, words: string): string | undefined {
  const at = timeOfId(id);
  return at === undefined ? undefined : `${words} ${at.toISOString()}, by the time in the id.`;
}

const describeCall = ({ state, method, path, actor_kind, actor_id, actor_name, target: { created } }: FoundCall): string =>
  `${state ?? ''} (${method} ${path}) by ${actor_kind}${actor_name === null ? '' : ` “${actor_name}”`} ${actor_id}${created == null ? '' : `; created ${created}`}`;

async function searchId(sql: Sql, prefix: SearchedPrefix, id: string): Promise<Answer> {
  const kind = kindOfPrefix(prefix);
  const found = await findById(sql, prefix, id);
  // With who made the call, what and about whom, as its request shows it.
  const call = prefix === 'aud' && found?.parent_id != null ? (await findCallsOfRequest(sql, found.parent_id)).find((one) => one.id === id) : undefined;
  return {
    lookedFor: `${kind}, by id`,
    items: found === undefined ? [] : [{ ...found, kind, description: call === undefined ? found.name : describeCall(call), ...(call === undefined ? {} : { call }) }],
    note: found === undefined ? sentences(`There is no ${kind} with the id ${id}.`, idLengthSentence(id), retention[prefix], timeSentence(id, 'The id was made at')) : null,
  };
}

async function searchRequest(sql: Sql, id: string): Promise<Answer> {
  const calls = await findCallsOfRequest(sql, id);
  const logs = {
    words: sentences(
      `The audit log has no write of the request ${id}. It has writes that succeeded, for 400 days.`,
      idLengthSentence(id),
      'Of a read, a refused or failed call, or a call of an app only the log lines of the service tell:',
    ),
    commands: [
      { where: 'With Docker Compose', command: `docker compose logs --no-log-prefix api | grep ${id}` },
      { where: 'On the local stack of npm start', command: `grep -h ${id} .local/logs/api.log*` },
      { where: 'Where logs are collected, by the field', command: `request_id: ${id}` },
    ],
    cameAt: timeOfId(id),
  };
  return {
    lookedFor: 'request, by its id in the audit log',
    items: calls.map((call) => ({ ...call, kind: 'audited call', description: describeCall(call), call })),
    ...(calls.length > 0 ? { note: null } : { note: sentences(logs.words, ...logs.commands.map(({ where, command }) => `${where}: \`${command}\`.`), 'The line `request` of a refused call has its error, the ids in its path, the fields that it was refused for (`fields`) and the scopes that its key lacks (`missing`).', timeSentence(id, 'The request came at')), logs }),
  };
}

/** Says where the erasure of a person is found whose login email is not kept. */
const erasuresSentence = (school: FoundRow | undefined): string =>
  school === undefined ? 'No institution has its domain.' : `It is not kept of a person who was erased: the audit log of ${school.institution_name ?? ''} (${school.id}) has each erasure, by the operations eraseStudent and eraseFaculty.`;

async function searchLoginEmail(sql: Sql, loginEmail: string): Promise<Answer & Pick<SearchResult, 'query'>> {
  const found = await findByLoginEmail(sql, loginEmail);
  const school = found === undefined ? await findByLoginDomain(sql, loginEmail.slice(loginEmail.lastIndexOf('@') + 1)) : undefined;
  return {
    query: found === undefined ? null : loginEmail,
    lookedFor: 'person, by login email',
    items: found === undefined ? [] : [{ ...found, kind: found.kind === 'faculty' ? 'faculty member' : found.kind, description: found.name }],
    ...(found === undefined ? { note: sentences('Nobody has this login email now.', erasuresSentence(school), 'Personal emails are stored encrypted and are not searched.'), school } : { note: null }),
  };
}

async function searchLoginDomain(sql: Sql, loginDomain: string): Promise<Answer> {
  const found = await findByLoginDomain(sql, loginDomain);
  const unknown = unknownTextHint(loginDomain) ?? `No institution has the login domain ${loginDomain}.`;
  return {
    lookedFor: 'institution, by login domain',
    items: found === undefined ? [] : [{ ...found, kind: 'institution', description: null }],
    ...(found === undefined ? { note: sentences(unknown, notSearchedText), unknown } : { note: null }),
  };
}

/** Returns what has exactly this id, request id, login email or login domain, of any institution. Each search is one lookup by an index. */
export async function search(sql: Sql, typed: string): Promise<SearchResult> {
  const query = bareText(typed).replace(workflowPrefix, '');
  // Neither searched nor shown again: it is a secret.
  if (apiKeyForm.test(query)) {
    return { query: null, mayBeName: false, lookedFor: 'nothing: this is an API key itself', items: [], note: sentences('Keys are not searched: search the id of the key (key_…).', keyHint, 'Have a key revoked that was sent to you.') };
  }
  const [, id = '', prefix = ''] = idForm.exec(query) ?? [];
  if (new Set(query.match(embeddedId)).size > 1) {
    return { query: null, mayBeName: false, lookedFor: 'nothing: this text has several ids', items: [], note: 'Search one id at a time.' };
  }
  if (prefix === 'req') return { query: id, mayBeName: false, ...(await searchRequest(sql, id)) };
  if (isSearchedPrefix(prefix)) return { query: id, mayBeName: false, ...(await searchId(sql, prefix, id)) };
  if (emailForm.test(query)) return { mayBeName: false, ...(await searchLoginEmail(sql, query)) };
  if (query.includes('@')) {
    return { query: null, mayBeName: false, lookedFor: 'person, by login email', items: [], note: 'This text has an @ and is no email alone: search the login email with nothing around it.' };
  }
  if (domainForm.test(query)) return { query, mayBeName: true, ...(await searchLoginDomain(sql, query)) };
  const unknown = sentences('This text is none of them.', unknownTextHint(query));
  return {
    query,
    mayBeName: true,
    lookedFor: 'anything, by id, login email or login domain',
    items: [],
    note: sentences(unknown, notSearchedText, idPrefixes),
    unknown,
  };
}
