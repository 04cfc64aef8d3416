import type { EndpointRecord, PlatformCaller } from '../http/operation';
import { alpha } from './alpha/alpha.portal.operations';
import { apps } from './exams/exams.app.operations';
import { attempts } from './attempts/attempts.operations';
import { auditLog } from './auditLog/auditLog.operations';
import { couponBatches } from './coupons/coupons.portal.operations';
import { developers } from './developers/developers.operations';
import { guardianPortal } from './guardians/guardians.app.operations';
import { groups } from './groups/groups.portal.operations';
import { heartbeats } from './heartbeat/heartbeat.operations';
import { institutions } from './institutions/institutions.staff.operations';
import { keys } from './keys/keys.operations';
import { labLicenses } from './licenses/licenses.staff.operations';
import { overview } from './institutions/overview.portal.operations';
import { owners } from './owners/owners.operations';
import { profile } from './faculty/profile.app.operations';
import { signInOperations } from './signIn/signIn.operations';
import { students } from './students/students.portal.operations';
import { redeeming } from './coupons/redemption.app.operations';
import { wallet } from './merits/wallet.app.operations';
import { webhooks } from './webhooks/webhooks.portal.operations';
import { workflows } from './workflows/workflows.operations';

/** Every operation of the platform API; a new resource is one line here. */
export const platformOperations: readonly EndpointRecord<PlatformCaller>[] = [
  ...institutions,
  ...keys,
  ...developers,
  ...overview,
  ...students,
  ...groups,
  ...labLicenses,
  ...auditLog,
  ...webhooks,
  ...signInOperations,
  ...profile,
  ...workflows,
  ...owners,
  ...apps,
  ...attempts,
  ...alpha,
  ...guardianPortal,
  ...heartbeats,
  ...couponBatches,
  ...redeeming,
  ...wallet,
];
