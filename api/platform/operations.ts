import type { EndpointRecord, PlatformCaller } from '../http/endpoint';
import { alpha } from './alpha/alpha.endpoints';
import { apps } from './apps/apps.endpoints';
import { attempts } from './attempts/attempts.endpoints';
import { auditLog } from './auditLog/auditLog.endpoints';
import { couponBatches } from './coupons/coupons.endpoints';
import { developers } from './developers/developers.endpoints';
import { guardianPortal } from './guardians/guardians.endpoints';
import { groups } from './groups/groups.endpoints';
import { heartbeats } from './heartbeat/heartbeat.endpoints';
import { institutions } from './institutions/institutions.endpoints';
import { keys } from './keys/keys.endpoints';
import { labLicenses } from './licenses/licenses.endpoints';
import { overview } from './overview/overview.endpoints';
import { owners } from './owners/owners.endpoints';
import { profile } from './profile/profile.endpoints';
import { signInOperations } from './signIn/signIn.endpoints';
import { students } from './students/students.endpoints';
import { redeeming } from './wallet/redeem.endpoints';
import { wallet } from './wallet/wallet.endpoints';
import { webhooks } from './webhooks/webhooks.endpoints';
import { workflows } from './workflows/workflows.endpoints';

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
