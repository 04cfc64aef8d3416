import type { PlatformCaller, PlatformRole } from '../../api/http/access';
import type { OperationRecord } from '../../api/http/operation';

/** The columns of the table, by role; `signed_out` says of apps what a session may still do after its end, and has none. */
const columns: readonly (readonly [title: string, role: PlatformRole])[] = [
  ['Platform token', 'platform'], ['`operator`', 'operator'], ['`support`', 'support'], ['Admin', 'admin'], ['Developer', 'developer'],
  ['Student', 'student'], ['Faculty', 'faculty'], ['Guardian', 'guardian'], ['Anybody', 'public'],
];

const introduction = `# Roles

Who may call which operation of the platform API. This page is made from the records of the operations by \`npm run generate\`; tests try each cell.

- **Platform token**: a machine with \`PLATFORM_TOKEN\`. With \`X-Actor\` it acts as an admin or developer, and has their column.
- **\`operator\`, \`support\`**: a person of the platform's staff, by personal token. In the [support console](operations/console.md) both roles see every page and have every button, but for the pages about the staff and the lists of coupon batches and keys of an institution, which are for operators. Of an endpoint \`support\` may change the status alone, which pauses and resumes it; of the personal tokens it has its own only.
- **Admin, Developer**: portal users of one institution, for it alone ([the portal](portal.md)).
- **Student, Faculty, Guardian**: sessions of the apps, of a person's own data.
- **Anybody**: without a token.

The operations of API keys have [scopes](scopes.md).
`;

/** Modules list their exports in another order once they are compiled; the page has one order. */
const byPath = (one: OperationRecord<PlatformCaller>, other: OperationRecord<PlatformCaller>): number => one.path.localeCompare(other.path) || one.method.localeCompare(other.method);

/** Returns `docs/roles.md`: each operation of the platform API with the roles that it is open to. */
export function rolesPage(records: readonly OperationRecord<PlatformCaller>[]): string {
  const tags = [...new Set(records.map(({ tag }) => tag))];
  const row = ({ method, path, access }: OperationRecord<PlatformCaller>): string => {
    const roles = access.by === 'platform' ? access.roles : [];
    const cells = columns.map(([, role]) => (roles.includes(role) || roles.includes('public') ? 'yes' : ''));
    return `| \`${method} /platform/v1${path.replaceAll(/:(\w+)/g, '{$1}')}\` | ${cells.join(' | ')} |`;
  };
  const sections = tags.map((tag) => [
    `## ${tag}\n`,
    `| Operation | ${columns.map(([title]) => title).join(' | ')} |`,
    `|---|${columns.map(() => '---').join('|')}|`,
    ...records.filter((record) => record.tag === tag).sort(byPath).map(row),
  ].join('\n'));
  return `${[introduction, ...sections].join('\n')}\n`.replaceAll(/ {2,}\|/g, ' |').replaceAll('\n## ', '\n\n## ').replaceAll(/\n{3,}/g, '\n\n');
}
