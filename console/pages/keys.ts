import type { ApiKeyEntity } from '../../db/entities/apiKey';
import { listKeys } from '../../db/repositories/keys/keys';
import { keyStatusAt } from '../../domain/keys/keyStatus';
import { html } from '../html';
import { badge } from '../components';
import { minuteElement, realTimesOf, timeElement, type Times } from '../format';
import { href, pathTo } from '../consoleRequest';
import { institutionListPage } from './institutionList';

const columns = (times: Times) => [
  { title: 'Name', cell: ({ id, name }: ApiKeyEntity) => html`<a href="${href(pathTo.search, { q: id })}">${name}</a><span class="second"><code>${id}</code></span>` },
  { title: 'Environment', cell: ({ prefix, lastFour, environment }: ApiKeyEntity) => html`${environment}<span class="second"><code>${prefix}…${lastFour}</code></span>` },
  { title: 'Status', cell: (key: ApiKeyEntity) => badge(keyStatusAt(key, times.now)) },
  { title: 'Last used', cell: ({ lastUsedAt }: ApiKeyEntity) => minuteElement(lastUsedAt, times, 'never') },
  { title: 'Revoked', cell: ({ revokedAt }: ApiKeyEntity) => timeElement(revokedAt, times) },
];

/** Shows the keys of an institution and of its sandbox, newest first; never a key itself. */
export const keysPage = institutionListPage<ApiKeyEntity>({
  title: 'Keys',
  about: 'Also those of its sandbox (test), revoked and expired ones. The page of a key says who made and who revoked it.',
  nothing: 'There are no keys.',
  idPrefix: 'key_',
  path: pathTo.keys,
  read: listKeys,
  columns,
  cursorOf: ({ createdAt: at, id }) => ({ at, id }),
  rowTimes: realTimesOf,
  hasRealTimes: true,
});
