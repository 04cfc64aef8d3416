import { bareText } from '../../lib/bareText';
import { noWholeIdText } from '../../lib/typeId';

/** What the audit log is searched by. */
export interface AuditedIds {
  actor?: string | undefined;
  target?: string | undefined;
  request?: string | undefined;
}

/** Actors that have no id of their own. */
export const actorsWithoutId = ['platform', 'console', 'sign_in', 'retention', 'webhooks'];

/** Says why no entry of an audit log can match; undefined if one may. */
export function noMatchText({ actor, target, request }: AuditedIds): string | undefined {
  const texts = [
    actor === undefined || actorsWithoutId.includes(bareText(actor)) ? undefined : noWholeIdText(actor, 'actor id', `such as key_…, and console, platform, sign_in, retention and webhooks; not names${actor.includes('@') ? '; of emails only those of people of the staff whom you may see' : ''}`),
    target === undefined || target.includes('@') ? undefined : noWholeIdText(target, 'target id', 'such as we_… or stu_…, and login emails; not names'),
    request === undefined ? undefined : noWholeIdText(request, 'request id', 'such as the req_… of the header X-Request-Id'),
  ];
  return texts.find((words) => words !== undefined);
}
