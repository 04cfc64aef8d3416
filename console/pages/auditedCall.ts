import type { AuditRow } from '../../db/repositories/auditLog/auditLog';
import { findKeyNames } from '../../db/repositories/support/found';
import { institutionScope } from '../../db/database';
import type { FoundItem } from '../../domain/support/search';
import { html, type Html, type HtmlValue } from '../html';
import { href, type ConsoleRequest } from '../consoleRequest';
import { idLink } from '../components';

const actorWords: Record<AuditRow['actor_kind'], string> = { key: 'API key', platform: 'Platform', faculty: 'Admin', developer: 'Developer', staff: 'Staff', system: 'Service' };
const withoutPage: ReadonlySet<AuditRow['actor_kind']> = new Set(['platform', 'staff', 'system']);

/** Returns what a call was about, each with a link. */
export const targetList = (target: AuditRow['target']): Html => {
  const named = Object.entries(target);
  return named.length === 0 ? html`<span class="faint">–</span>` : html`${named.map(([name, id]) => html`<span class="second">${name} ${id === null ? html`<code>nobody’s</code>` : idLink(id)}</span>`)}`;
};

function actorLink(kind: AuditRow['actor_kind'], id: string, logPath: string | undefined): Html {
  if (kind === 'staff' && logPath !== undefined) return html`<a href="${href(logPath, { actor: id })}"><code>${id}</code></a>`;
  return withoutPage.has(kind) ? html`<code>${id}</code>` : idLink(id);
}

/** Returns who made a call: with the name of a key or of a person of the staff, who has a link to their calls in this log. */
export function actorText({ actor_kind, actor_id, actor_name }: Pick<AuditRow, 'actor_kind' | 'actor_id' | 'actor_name'>, keyNames: ReadonlyMap<string, string>, logPath?: string): Html {
  const name = keyNames.get(actor_id) ?? actor_name ?? undefined;
  return html`${actorWords[actor_kind]}${name === undefined ? null : ` “${name}”`}<span class="second">${actorLink(actor_kind, actor_id, logPath)}</span>`;
}

/** Returns what support sees of a write of a request: what it wrote, and who; undefined for anything else. */
export async function callDetails({ deps }: ConsoleRequest, { institution_id, state, call }: FoundItem): Promise<(readonly [name: string, value: HtmlValue])[] | undefined> {
  if (call === undefined) return undefined;
  const keyNames = institution_id === null || call.actor_kind !== 'key' ? new Map<string, string>() : await findKeyNames(institutionScope(deps.domain.database, institution_id), [call.actor_id]);
  return [
    ['What', html`${state}<span class="second"><code class="route">${call.method} ${call.path}</code></span>`],
    ['Target', targetList(call.target)],
    ['Who', actorText(call, keyNames)],
  ];
}
