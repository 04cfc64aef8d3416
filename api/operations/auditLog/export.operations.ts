import { exportLogs, positionAfter, positionOfCursor } from '../../../domain/audit/exportLogs';
import { operation } from '../../http/operation';
import { auditExportQuery } from './export.schemas';

const example = [
  '{"log":"audit","id":"aud_01jd4k6f2mep2s5xg5yhc8m1zr","at":"2026-11-20T09:30:00.000Z","institution_id":"ins_01jd4k6f2mep2s5xg5yhc8m1zr","actor":{"kind":"key","id":"key_01jd4k6f2mep2s5xg5yhc8m1zr"},"operation":"suspendStudent","method":"POST","path":"/v1/students/{id}/suspend","target":{"id":"stu_01jd4k6f2mep2s5xg5yhc8m1zr"},"changed":[],"request_id":"req_01jd4k6f2mep2s5xg5yhc8m1zr","cursor":"WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiLCJhdWRfMDFqZDRrNmYybWVwMnM1eGc1eWhjOG0xenIiXQ"}',
  '{"log":"disclosure","id":"dsc_01jd4k6f2mep2s5xg5yhc8m1zr","at":"2026-11-20T09:30:01.000Z","institution_id":"ins_01jd4k6f2mep2s5xg5yhc8m1zr","actor":{"kind":"key","id":"key_01jd4k6f2mep2s5xg5yhc8m1zr"},"operation":"getStudent","what":"record","subject_id":"stu_01jd4k6f2mep2s5xg5yhc8m1zr","query":{"id":"stu_01jd4k6f2mep2s5xg5yhc8m1zr"},"request_id":"req_01jd4k6f2mep2s5xg5yhc8m1zr","cursor":"WyIyMDI2LTExLTIwVDA5OjMwOjAxLjAwMFoiLCJkc2NfMDFqZDRrNmYybWVwMnM1eGc1eWhjOG0xenIiXQ"}',
  '{"log":"end","more":false,"cursor":"WyIyMDI2LTExLTIwVDA5OjMwOjAxLjAwMFoiLCJkc2NfMDFqZDRrNmYybWVwMnM1eGc1eWhjOG0xenIiXQ"}',
  '',
].join('\n');

export const auditExport = [
  operation({
    method: 'GET',
    path: '/audit-log/export',
    operationId: 'exportAuditLog',
    tag: 'Audit log',
    access: { staff: true },
    institution: 'none',
    summary: 'Export the audit log and the record of disclosures of all institutions as JSON lines, oldest first.',
    description:
      'For a SIEM. Each line is an entry with its `log` (`audit` or `disclosure`) and a `cursor`; the last line is `{"log":"end"}` with the `cursor` from which to go on and `more`, whether entries are left now. ' +
      'A response without that line was cut off: go on from the last complete line. No entry is missed or repeated from cursor to cursor.',
    request: { query: auditExportQuery },
    response: { contentType: 'application/x-ndjson', description: 'The lines, streamed.', example },
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ query, domain }) => {
      const from = positionOfCursor(query.cursor ?? '') ?? positionAfter(query.since ?? new Date(0));
      return { filename: 'audit-log.jsonl', pieces: exportLogs(domain.database, from, query.limit) };
    },
  }),
];
