import { licenseTransitions, type LicenseAction } from '../../../domain/licenses/transitions';
import type { LicenseStatus } from '../../../db/entities/license';
import { extendLicense } from '../../../domain/licenses/extendLicense';
import { revokeLicense } from '../../../domain/licenses/revokeLicense';
import { resumeLicense, suspendLicense } from '../../../domain/licenses/suspendLicense';
import { requireLockedLicense } from '../../../domain/licenses/requireLockedLicense';
import type { Transaction } from '../../../domain/context';
import { transact } from '../../../domain/transact';
import { systemCaller } from '../../support/api';
import { eventsDuring } from '../../support/events';
import { inDays } from '../../support/time';
import { storedStatus, seedLicense } from '../../support/seed/licenses';
import { apiFixture } from '../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });

// Contract: licenses.fields.status, licenses.states.extend-reactivates, licenses.states.revoke
it('the table of the moves is the one of the specification and its decisions', () => {
  expect(licenseTransitions).toEqual({
    expire: { active: 'expired', expired: 'expired', suspended: 'suspended', revoked: 'revoked' },
    extend: { active: 'active', expired: 'active', suspended: 'suspended', revoked: 'conflict' },
    revoke: { active: 'revoked', expired: 'revoked', suspended: 'revoked', revoked: 'revoked' },
    suspend: { active: 'suspended', expired: 'conflict', suspended: 'suspended', revoked: 'conflict' },
    resume: { active: 'active', expired: 'expired', suspended: 'active', revoked: 'conflict' },
  });
});

const moves: Record<LicenseAction, { expiresInDays: number; run: (tx: Transaction, id: string) => Promise<unknown> }> = {
  expire: { expiresInDays: -1, run: requireLockedLicense },
  extend: { expiresInDays: 10, run: (tx, id) => extendLicense(tx, id, { days: 5 }) },
  revoke: { expiresInDays: 10, run: (tx, id) => revokeLicense(tx, id, 'because') },
  suspend: { expiresInDays: 10, run: suspendLicense },
  resume: { expiresInDays: 10, run: resumeLicense },
};

const cases = Object.entries(licenseTransitions).flatMap(([move, steps]) =>
  Object.entries(steps).map(([from, to]) => ({ move: move as LicenseAction, from: from as LicenseStatus, to })),
);

// Contract: licenses.fields.status, licenses.states.extend-reactivates, licenses.states.revoke
describe.each(cases)('a license that is $from', ({ move, from, to }) => {
  const { expiresInDays, run } = moves[move];
  const emits = move === 'expire' && from === 'active' ? ['license.expired'] : [];
  it(`answers ${move} with ${to} and emits ${emits.length === 0 ? 'nothing' : emits.join()}`, async () => {
    const license = await seedLicense(api, institution, { status: from, expiresAt: inDays(expiresInDays) });
    const moved = () => transact(api.api.domain, systemCaller(institution.id), (tx) => run(tx, license.id));
    const events = await eventsDuring(api, institution, async () => {
      if (to === 'conflict') await expect(moved()).rejects.toMatchObject({ code: 'conflict' });
      else await moved();
    });
    expect(await storedStatus(api, license.id)).toBe(to === 'conflict' ? from : to);
    expect(events.map(({ type }) => type)).toEqual(emits);
  });
});
