import { institutionScope, type InstitutionScope } from '../../db/database';
import type { InstitutionRow } from '../../db/repositories/institutions/institutions';
import type { Page as ListPart, PageOf } from '../../db/page';
import { html } from '../html';
import { breadcrumbs, emptyState, section, table, type Column } from '../components';
import { timesOf, type Times } from '../format';
import { href, idParam, pathTo, type ConsoleRequest, type Page } from '../consoleRequest';
import { requireInstitution } from './institution';
import { formatCursor, listTitle, pager, parseCursor, perPage, type ListCursor } from './listPage';

/** A list of an institution without filters, newest first. */
export interface InstitutionList<Row> {
  title: string;
  /** What the list has, in a sentence or two. */
  about: string;
  nothing: string;
  idPrefix: string;
  path: (institutionId: string) => string;
  read: (scope: InstitutionScope, page: ListPart) => Promise<PageOf<Row>>;
  columns: (times: Times) => readonly Column<Row>[];
  cursorOf: (row: Row) => ListCursor;
  /** The times that rows are shown by. */
  rowTimes: (request: ConsoleRequest, institution: InstitutionRow) => Times;
  hasRealTimes?: true;
}

/** Returns a page of an institution that has a list of its own, and links to the newest and to older rows. */
export const institutionListPage = <Row>({ title, about, nothing, idPrefix, path, read, columns, cursorOf, rowTimes, hasRealTimes }: InstitutionList<Row>) => async (request: ConsoleRequest): Promise<Page> => {
  const institution = await requireInstitution(request, idParam(request));
  const times = rowTimes(request, institution);
  const after = parseCursor(request.query, idPrefix);
  const position = after === undefined ? null : [after.at.toISOString(), after.id];
  const { rows, next } = await read(institutionScope(request.deps.domain.database, institution.id), { page: 1, limit: perPage, cursor: { after: position } });
  const last = rows.at(-1);
  const own = path(institution.id);
  return {
    title: `${title} of ${institution.name}`,
    times: timesOf(request, institution),
    ...(hasRealTimes === undefined ? {} : { hasRealTimes }),
    body: html`${breadcrumbs([institution.name, pathTo.institution(institution.id)])}
      <div class="head"><div class="title"><h1>${title}</h1><p class="sub">${about}</p></div></div>
      ${section('rows', listTitle(after, times), rows.length > 0 ? table(title, columns(times), rows, (row) => cursorOf(row).id) : emptyState(nothing))}
      ${pager({
        newest: after === undefined ? undefined : href(own),
        older: next === null || last === undefined ? undefined : href(own, { before: formatCursor(cursorOf(last)) }),
      })}`,
  };
};
