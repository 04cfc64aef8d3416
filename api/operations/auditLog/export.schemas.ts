import Joi from 'joi';
import { positionOfCursor } from '../../../domain/audit/exportLogs';
import { wholeNumber } from '../../http/request/fields';
import { sinceDateTime } from '../../http/request/filters';

/** Maximum number of entries that one export has. */
const maxExportedEntries = 100_000;

const cursor = Joi.string()
  .max(200)
  .custom((value: string, helpers) => (positionOfCursor(value) === undefined ? helpers.message({ custom: '{{#label}} must be the cursor of a line of an earlier export' }) : value));

export const auditExportQuery = Joi.object({
  since: sinceDateTime('Entries after this moment.').example('2026-11-20T09:30:00Z'),
  cursor: cursor.description('Instead of `since`: entries after the line with this cursor.').example('WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiLCJhdWRfMDFqZDRrNmYybWVwMnM1eGc1eWhjOG0xenIiXQ'),
  limit: wholeNumber(1, maxExportedEntries).default(10_000).description(`Entries of one export, ${maxExportedEntries.toLocaleString('en')} at most.`).example(10_000),
}).xor('since', 'cursor');
