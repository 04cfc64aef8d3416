import type { OperationRecord, PlatformCaller } from '../http/operation';
import { portalAlpha } from './alpha/alpha.portal.operations';
import { appExams } from './exams/exams.app.operations';
import { attempts } from './attempts/attempts.operations';
import { auditLog } from './auditLog/auditLog.operations';
import { couponBatches } from './coupons/coupons.portal.operations';
import { developers } from './developers/developers.operations';
import { guardianPortal } from './guardians/guardians.app.operations';
import { portalGroups } from './groups/groups.portal.operations';
import { heartbeats } from './heartbeat/heartbeat.operations';
import { institutions } from './institutions/institutions.staff.operations';
import { keys } from './keys/keys.operations';
import { labLicenses } from './licenses/licenses.staff.operations';
import { overview } from './institutions/overview.portal.operations';
import { owners } from './owners/owners.operations';
import { profile } from './faculty/profile.app.operations';
import { signInOperations } from './signIn/signIn.operations';
import { portalStudents } from './students/students.portal.operations';
import { couponRedemption } from './coupons/redemption.app.operations';
import { wallet } from './merits/wallet.app.operations';
import { webhooks } from './webhooks/webhooks.portal.operations';
import { workflows } from './workflows/workflows.operations';

/** Every operation of the platform API; a new resource is one line here. */
export const platformOperations: readonly OperationRecord<PlatformCaller>[] = [
  ...institutions,
  ...keys,
  ...developers,
  ...overview,
  ...portalStudents,
  ...portalGroups,
  ...labLicenses,
  ...auditLog,
  ...webhooks,
  ...signInOperations,
  ...profile,
  ...workflows,
  ...owners,
  ...appExams,
  ...attempts,
  ...portalAlpha,
  ...guardianPortal,
  ...heartbeats,
  ...couponBatches,
  ...couponRedemption,
  ...wallet,
];
