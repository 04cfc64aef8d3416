import type { OperationRecord, KeyDescription } from '../http/operation';
import { alpha } from './alpha/alpha.operations';
import { coupons } from './coupons/coupons.operations';
import { events } from './events/events.operations';
import { assignments } from './exams/assignments.operations';
import { codeSecrets } from './exams/codeSecrets.operations';
import { exams } from './exams/exams.operations';
import { examsByPerson } from './exams/examsByPerson.operations';
import { scoreExport } from './exams/scoreExport.operations';
import { files } from './exams/files.operations';
import { results } from './exams/results.operations';
import { faculty } from './faculty/faculty.operations';
import { groups } from './groups/groups.operations';
import { guardians } from './guardians/guardians.operations';
import { reports } from './guardians/reports.operations';
import { institution } from './institutions/institutions.operations';
import { devices } from './licenses/devices.operations';
import { licenses } from './licenses/licenses.operations';
import { me } from './me/me.operations';
import { merits } from './merits/merits.operations';
import { students } from './students/students.operations';
import { submissions } from './submissions/submissions.operations';
import { deliveries } from './webhooks/deliveries.operations';
import { webhookEndpoints } from './webhooks/webhookEndpoints.operations';

/** Every operation of the public API; a new resource is one line here. */
export const publicOperations: readonly OperationRecord<KeyDescription>[] = [...me, ...institution, ...students, ...faculty, ...groups, ...licenses, ...devices, ...exams, ...assignments, ...codeSecrets, ...files, ...scoreExport, ...examsByPerson, ...results, ...submissions, ...guardians, ...reports, ...alpha, ...merits, ...coupons, ...webhookEndpoints, ...deliveries, ...events];
