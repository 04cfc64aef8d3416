import { newCode, parseCode } from '../../../domain/coupons/codes';

const some = Array.from({ length: 5_000 }, newCode);

it('codes are 16 characters of an alphabet in which nothing is taken for anything else, each about equally often', () => {
  const counts = new Map<string, number>();
  for (const code of some) {
    expect(code).toMatch(/^[346789ACDEFHJKMNPRTVWXY]{16}$/);
    for (const character of code) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const expected = (some.length * 16) / 23;
  // Five standard deviations.
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(5 * Math.sqrt(expected));
  expect(counts.size).toBe(23);
  expect(new Set(some).size).toBe(some.length);
});

it.each(['7CKR4MNX9TWA3HPF', '7ckr4mnx9twa3hpf', ' 7CKR-4MNX-9TWA-3HPF ', '7CKR 4MNX 9TWA 3HPF', '7ckr–4mnx—9twa‑3hpf', '7CKR\u00a04MNX\t9TWA\n3HPF'])(
  'a code is read from %j',
  (typed) => expect(parseCode(typed)).toBe('7CKR4MNX9TWA3HPF'),
);

it.each(['', '7CKR4MNX9TWA3HP', '7CKR4MNX9TWA3HPFF', '7CKR4MNX9TWA3HP0', '7CKR_4MNX9TWA3HPF', "7CKR4MNX9TWA3HP'"])('%j is no code', (typed) => {
  expect(parseCode(typed)).toBeUndefined();
});
