import type { EndpointRecord, KeyDescription } from '../http/endpoint';
import { alpha } from './alpha/alpha.endpoints';
import { coupons } from './coupons/coupons.endpoints';
import { events } from './events/events.endpoints';
import { assignments } from './exams/assignments.endpoints';
import { codeSecrets } from './exams/codeSecrets.endpoints';
import { exams } from './exams/exams.endpoints';
import { examsOfPeople } from './exams/examsOfPeople.endpoints';
import { exportedScores } from './exams/export.endpoints';
import { files } from './exams/files.endpoints';
import { results } from './exams/results.endpoints';
import { faculty } from './faculty/faculty.endpoints';
import { groups } from './groups/groups.endpoints';
import { guardians } from './guardians/guardians.endpoints';
import { reports } from './guardians/reports.endpoints';
import { institution } from './institution/institution.endpoints';
import { devices } from './licenses/devices.endpoints';
import { licenses } from './licenses/licenses.endpoints';
import { me } from './me/me.endpoints';
import { merits } from './merits/merits.endpoints';
import { students } from './students/students.endpoints';
import { submissions } from './submissions/submissions.endpoints';
import { deliveries } from './webhooks/deliveries.endpoints';
import { webhookEndpoints } from './webhooks/webhookEndpoints.endpoints';

/** Every operation of the public API; a new resource is one line here. */
export const resources: readonly EndpointRecord<KeyDescription>[] = [...me, ...institution, ...students, ...faculty, ...groups, ...licenses, ...devices, ...exams, ...assignments, ...codeSecrets, ...files, ...exportedScores, ...examsOfPeople, ...results, ...submissions, ...guardians, ...reports, ...alpha, ...merits, ...coupons, ...webhookEndpoints, ...deliveries, ...events];
