import { findStaff } from '../../../db/repositories/staff/staff';
import { newId } from '../../../domain/ids';
import { admitIdentity, type Admission, type Identity } from '../../../domain/staff/admitIdentity';
import { transact } from '../../../domain/transact';
import { apiFixture } from '../../support/apiFixture';
import { addStaffMember } from '../../support/staff';

const { api } = apiFixture({ institutionPer: 'none' });

/** Somebody whom a provider has signed in, new unless `known` says otherwise. */
function identity(known: Partial<Identity> = {}): Identity {
  const unique = newId('stf').slice(-12);
  return { issuer: 'https://id.platform.example', subject: unique, name: 'Sam', email: `${unique}@platform.example`, isEmailVerified: true, role: 'support', ...known };
}

const admit = (one: Identity): Promise<Admission> => transact(api.api.domain, { institutionId: '', now: new Date() }, (tx) => admitIdentity(tx, one));

async function admittedId(one: Identity): Promise<string> {
  const admission = await admit(one);
  if (!('staff' in admission)) throw new Error(`Not let in: ${admission.rejection}`);
  return admission.staff.id;
}

it('first sign-ins of one person at the same time add one person', async () => {
  const sam = identity();
  expect(new Set(await Promise.all(Array.from({ length: 6 }, () => admittedId(sam)))).size).toBe(1);
});

it('a person is known by issuer and subject, regardless of the email and the name that the provider gives now', async () => {
  const sam = identity();
  const id = await admittedId(sam);
  expect(await admittedId({ ...sam, email: 'new@platform.example', name: 'Sam New', role: 'operator' })).toBe(id);
  expect(await findStaff(api.api.domain.database.sql, id)).toMatchObject({ email: sam.email, name: 'Sam New', role: 'operator' });
  expect(await admittedId({ ...sam, email: null })).toBe(id);
});

it('the same subject of another issuer is somebody else, who cannot have the email', async () => {
  const sam = identity();
  await admittedId(sam);
  expect(await admit({ ...sam, issuer: 'https://other.example' })).toEqual({ rejection: 'email_taken' });
});

it.each<[string, Partial<Identity>]>([['no_role', { role: null }], ['no_email', { email: null }], ['no_email', { isEmailVerified: false }]])('somebody new is rejected with %s', async (rejection, known) => {
  expect(await admit(identity(known))).toEqual({ rejection });
});

it('somebody new of whose email the provider says nothing but the address is let in', async () => {
  await admittedId(identity({ isEmailVerified: null }));
});

it('a person who was added is found by a verified email alone, and not once another subject has it', async () => {
  const { id, email } = await addStaffMember(api);
  expect(await admit(identity({ email, isEmailVerified: false }))).toEqual({ rejection: 'email_taken' });
  expect(await admit(identity({ email, isEmailVerified: null }))).toEqual({ rejection: 'email_taken' });
  const sam = identity({ email });
  expect(await admittedId(sam)).toBe(id);
  expect(await admittedId({ ...sam, isEmailVerified: false })).toBe(id);
  expect(await admit(identity({ email }))).toEqual({ rejection: 'email_taken' });
});

it('a person who is revoked is rejected, by subject and by email', async () => {
  const sam = identity();
  await api.platform('DELETE', `/staff/${await admittedId(sam)}`);
  expect(await admit(sam)).toEqual({ rejection: 'revoked' });
  const { id, email } = await addStaffMember(api);
  await api.platform('DELETE', `/staff/${id}`);
  expect(await admit(identity({ email }))).toEqual({ rejection: 'revoked' });
});
