import type { Access, AuthenticatedKey } from '../../api/http/access';
import type { OperationRecord } from '../../api/http/operation';
import { scopes, type Scope } from '../../api/http/scopes';

const introduction = `# Scopes

Which scope of an API key opens which operation. This page is made from the records of the operations by \`npm run generate\`; tests try each operation with a key of each scope alone.

- A key has the scopes that it was made with, within the ceiling of the developer who made it ([the portal](portal.md)). \`x:write\` includes \`x:read\`.
- **Opened by** lists the scopes of which a key needs one; **besides** those that it needs as well, all of them.
- \`GET /students/{id}/export\` has the URL of the archive for keys with all scopes of \`POST /students/{id}/export\` alone ([which ones](export.md)).
- Operations under \`/sandbox\` are for test keys alone, with the same scopes.
- \`webhooks:read\` reads events and deliveries, and with them the data of students that they have; \`webhooks:write\` can have them sent to another address. Give both to whom you would give the data.
- \`exams:write\` sets the commands of coding exams, which run on the devices of students.
- \`students:write\` maps personal emails, which are what students sign in with, and erases students.
- Recordings are in \`GET /submissions/{id}\` and in exports for keys with \`submissions:write\` alone.
`;

const code = (scope: string): string => `\`${scope}\``;

/** Returns the scopes of which a key needs one for an operation that asks for this one. */
const openedBy = (scope: Scope): Scope[] => scopes.map((one) => one.scope).filter((one) => one === scope || one === scope.replace(/:read$/, ':write'));

function cells(access: Access): string {
  if (access.by !== 'key' || access.scope === null) return 'any valid key | ';
  return `${openedBy(access.scope).map(code).join(', ')} | ${access.besides.map(code).join(', ')}`;
}

/** Modules list their exports in another order once they are compiled; the page has one order. */
const byPath = (one: OperationRecord<AuthenticatedKey>, other: OperationRecord<AuthenticatedKey>): number => one.path.localeCompare(other.path) || one.method.localeCompare(other.method);

/** Returns `docs/scopes.md`: each operation of the public API with the scopes that open it. */
export function scopesPage(records: readonly OperationRecord<AuthenticatedKey>[]): string {
  const tags = [...new Set(records.map(({ tag }) => tag))];
  const row = ({ method, path, access }: OperationRecord<AuthenticatedKey>): string => `| \`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}\` | ${cells(access)} |`;
  const all = ['## All scopes', '', '| Scope | Allows |', '|---|---|', ...scopes.map(({ scope, description }) => `| ${code(scope)} | ${description} |`)].join('\n');
  const sections = tags.map((tag) => [`## ${tag}`, '', '| Operation | Opened by | Besides |', '|---|---|---|', ...records.filter((record) => record.tag === tag).sort(byPath).map(row)].join('\n'));
  return `${[introduction, all, '', ...sections.flatMap((section) => [section, ''])].join('\n').trimEnd()}\n`.replaceAll(/ {2,}\|/g, ' |');
}
