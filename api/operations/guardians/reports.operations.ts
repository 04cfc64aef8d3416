import { listReports } from '../../../db/repositories/reports/weekly';
import { operation } from '../../http/operation';
import { listOf, presentPage } from '../../http/request/fields';
import { presentReport } from './reports.presenter';
import { reportQuery, reportSchema } from './reports.schemas';

export const reports = [
  operation({
    method: 'GET',
    path: '/guardians/reports',
    operationId: 'listReports',
    tag: 'Guardians',
    access: { key: 'guardians:read' },
    summary: 'List the weekly Alpha reports of verified guardians, newest first.',
    description:
      'One item for each report and verified guardian of its student. The reports of a week are written on the Monday after it, at 12:10 UTC, for ' +
      'students with a verified guardian who are enrolled or were active in the week, and sent to the guardians by mail, one email each. ' +
      'They are kept for 104 weeks. `since` is exclusive: give the newest `created_at` that you have. ' +
      'An item is created when the report is written and its guardian verified: older reports come as new items of a guardian who is verified later. ' +
      'A later change of `sent_at` does not return the item again.',
    request: { query: reportQuery },
    response: listOf(reportSchema),
    errors: [],
    transaction: 'none',
    discloses: 'many',
    handle: async ({ query, reads }) => presentPage(await listReports(reads, query, query), query, presentReport),
  }),
];
