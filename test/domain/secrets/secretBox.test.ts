import fc from 'fast-check';
import { sealedColumns } from '../../../db/repositories/secrets/sealedColumns';
import { createSecretBox, type FingerprintPurpose } from '../../../domain/secrets/secretBox';
import type { SealContext } from '../../../domain/secrets/sealContext';
import { createSecretBox090 } from '../../support/release090/secretBox';
import { newLegacyKeys, newMasterKey } from '../../support/serviceKeys';

const [k1, k2, legacy] = [newMasterKey('k1'), newMasterKey('k2'), newLegacyKeys('old', 'older')];

const place: fc.Arbitrary<SealContext> = fc
  .constantFrom(...Object.entries(sealedColumns))
  .chain(([table, columns]) =>
    fc.record({
      institutionId: fc.option(fc.string()),
      table: fc.constant(table as SealContext['table']),
      column: fc.constantFrom(...columns),
      rowId: fc.string(),
    }));
const samePlace = (one: SealContext, other: SealContext): boolean =>
  one.institutionId === other.institutionId && one.table === other.table && one.column === other.column && one.rowId === other.rowId;

describe('a value sealed under a master key', () => {
  const box = createSecretBox([k1]);

  it('opens in its place', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), place, (plain, at) => {
      expect(box.open(box.seal(plain, at), at)).toBe(plain);
    }));
  });

  it('does not open in another row, column, table or institution', () => {
    fc.assert(fc.property(fc.string(), place, place, (plain, at, other) => {
      fc.pre(!samePlace(at, other));
      expect(() => box.open(box.seal(plain, at), other)).toThrow();
    }));
  });

  it('does not open in a place that differs in one part alone', () => {
    const at: SealContext = { institutionId: 'ins_1', table: 'webhook_endpoints', column: 'secret_sealed', rowId: 'we_1' };
    const sealed = box.seal('whsec_1', at);
    const others: Partial<SealContext>[] = [{ institutionId: 'ins_2' }, { institutionId: null }, { table: 'users' }, { column: 'previous_secret_sealed' }, { rowId: 'we_2' }];
    for (const other of others) expect(() => box.open(sealed, { ...at, ...other })).toThrow();
    expect(box.open(sealed, at)).toBe('whsec_1');
  });

  it('does not open if any of its bytes was changed, or under another key with its id', () => {
    fc.assert(fc.property(fc.string({ minLength: 1 }), place, fc.nat(), (plain, at, nth) => {
      const sealed = box.seal(plain, at);
      const [version = '', id = '', base64 = ''] = sealed.split('.');
      const bytes = Buffer.from(base64, 'base64');
      const index = nth % bytes.length;
      bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index);
      expect(() => box.open([version, id, bytes.toString('base64')].join('.'), at)).toThrow();
      expect(() => createSecretBox([newMasterKey('k1')]).open(sealed, at)).toThrow();
    }));
  });

  it('names the version of its format and its key', () => {
    fc.assert(fc.property(fc.string(), place, (plain, at) => {
      expect(box.seal(plain, at)).toMatch(/^v2\.k1\.[A-Za-z0-9+/]+=*$/);
    }));
  });
});

const at: SealContext = { institutionId: 'ins_1', table: 'exams', column: 'hidden_key_sealed', rowId: 'exm_1' };

describe('the keys of a list', () => {
  it('all open, and the first one seals', () => {
    const [before, both, after] = [createSecretBox([k1]), createSecretBox([k2, k1]), createSecretBox([k2])];
    expect(both.open(before.seal('x', at), at)).toBe('x');
    expect(after.open(both.seal('x', at), at)).toBe('x');
    expect(() => after.open(before.seal('x', at), at)).toThrow('No configured key decrypts this value');
    expect([before.newestPrefix, both.newestPrefix]).toEqual(['v2.k1.', 'v2.k2.']);
  });

  it('of 0.9.0 seal and sign as 0.9.0 did while they are the first, so that its processes read what is written', () => {
    const box = createSecretBox([legacy, k1]);
    const of090 = createSecretBox090(legacy);
    expect(box.seal('x', at)).toMatch(/^old\.[A-Za-z0-9+/]+=*$/);
    expect(box.fingerprint('personal_email', 'a@b.example')).toEqual(of090.fingerprint('personal_email', 'a@b.example'));
  });

  it('of 0.9.0 open what 0.9.0 sealed, under each of its keys, with master keys or without', () => {
    const older = createSecretBox090({ ...legacy, encryptionKeys: legacy.encryptionKeys.slice(1) });
    const boxes = [createSecretBox([legacy]), createSecretBox([k1, legacy]), createSecretBox([legacy, k1])];
    for (const sealed of [createSecretBox090(legacy).seal('x'), older.seal('x')]) expect(boxes.map((box) => box.open(sealed, at))).toEqual(['x', 'x', 'x']);
  });

  it('each have a fingerprint of a value, the newest first', () => {
    const box = createSecretBox([k2, k1, legacy]);
    const of = (purpose: FingerprintPurpose) => box.fingerprints(purpose, 'x');
    expect(of('file_url')).toEqual([createSecretBox([k2]), createSecretBox([k1]), createSecretBox([legacy])].map((one) => one.fingerprint('file_url', 'x')));
    expect(box.fingerprint('file_url', 'x')).toEqual(of('file_url')[0]);
  });
});

it('fingerprints of one value differ by purpose and by key', () => {
  const purposes: readonly FingerprintPurpose[] = ['personal_email', 'sign_in_code', 'sign_in_request', 'file_url', 'guardian_invitation', 'developer_invitation', 'list_cursor'];
  const all = [k1, k2, legacy].flatMap((key) => purposes.map((purpose) => createSecretBox([key]).fingerprint(purpose, 'x').toString('hex')));
  expect(new Set(all).size).toBe(all.length);
});
