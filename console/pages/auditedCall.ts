import type { AuditedChange, AuditRow } from '../../db/repositories/auditLog/auditLog';
import type { FoundItem } from '../../domain/support/search';
import { html, type Html, type HtmlValue } from '../html';
import { href } from '../consoleRequest';
import { idLink } from '../components';
import { inlineTimeElement, realOf, type Times } from '../format';

/** What each kind of caller is called. */
export const actorWords: Record<AuditRow['actor_kind'], string> = { key: 'API key', platform: 'Platform', faculty: 'Admin', developer: 'Developer', staff: 'Staff', system: 'Service' };
const withoutPage: ReadonlySet<AuditRow['actor_kind']> = new Set(['platform', 'staff', 'system']);

function named(id: string, names: ReadonlyMap<string, string> | undefined): string | null {
  const name = names?.get(id);
  return name === undefined ? null : `“${name}” `;
}

/** What stands before an id in a target, where its name alone does not say it. */
const targetWords: Readonly<Record<string, string>> = { repeated: 'repeated, nothing was done again:' };

/** Returns what a call was about, each with a link, and the name of what has one among the names. */
export const targetList = (target: AuditRow['target'], names?: ReadonlyMap<string, string>): Html => {
  // The person whom a call is about may be the one that its path names.
  const entries = Object.entries(target).filter(([, id], index, all) => id === null || all.findIndex(([, other]) => other === id) === index);
  return entries.length === 0 ? html`<span class="faint">–</span>` : html`${entries.map(([name, id]) => html`<span class="second">${targetWords[name] ?? name} ${id === null ? html`<code>nobody’s</code>` : html`${named(id, names)}${idLink(id)}`}</span>`)}`;
};

function actorLink(kind: AuditRow['actor_kind'], id: string, logPath: string | undefined): Html {
  if (kind === 'staff' && logPath !== undefined) return html`<a href="${href(logPath, { actor: id })}"><code>${id}</code></a>`;
  return withoutPage.has(kind) ? html`<code>${id}</code>` : idLink(id);
}

/** Returns who made a call, by name; a person of the staff has a link to their calls in this log. */
export function actorText({ actor_kind, actor_id, actor_name }: Pick<AuditRow, 'actor_kind' | 'actor_id' | 'actor_name'>, logPath?: string): Html {
  return html`${actorWords[actor_kind]}${actor_name === null ? null : ` “${actor_name}”`}<span class="second">${actorLink(actor_kind, actor_id, logPath)}</span>`;
}

/** Returns when and by whom something was changed, which the audit log has by the real time; null if that is not known. */
export function changeText(change: AuditedChange | undefined, times: Times): Html | null {
  if (change === undefined) return null;
  return html`<span class="second">${inlineTimeElement(change.at, realOf(times))}, request <code>${change.request_id}</code></span><span class="second">${actorText(change)}</span>`;
}

/** Returns who made a call, and by which request, for what has its own time. */
export const callerText = (change: AuditedChange): Html => html`${actorText(change)}<span class="second">${change.operation}, request <code>${change.request_id}</code></span>`;

/** Returns what support sees of a write of a request: what it wrote, and who; undefined for anything else. */
export function callDetails({ state, call }: FoundItem): (readonly [name: string, value: HtmlValue])[] | undefined {
  if (call === undefined) return undefined;
  return [
    ['What', html`${state}<span class="second"><code class="route">${call.method} ${call.path}</code></span>`],
    ['Target', targetList(call.target)],
    ['Who', actorText(call)],
  ];
}
