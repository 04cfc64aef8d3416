import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import type { PayloadKeys } from '../../../config/temporalSettings';
import { createPayloadCodec, dataConverter } from '../../../outbound/temporal/payloadCodec';

const key = (id: string, byte: number) => ({ id, key: Buffer.alloc(32, byte) });
const codecOf = (...keys: PayloadKeys) => {
  const codec = createPayloadCodec(keys);
  if (codec === undefined) throw new Error('Keys without a codec');
  return codec;
};
const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const valueOf = (payload: Payload | undefined): unknown => defaultPayloadConverter.fromPayload(payload ?? {});
const latin = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString('latin1');
const textOf = (payload: Payload | undefined): string => [...Object.entries(payload?.metadata ?? {}).map(([name, bytes]) => `${name}=${latin(bytes)}`), latin(payload?.data)].join('\n');
const argument = { studentId: 'stu_1', note: 'größer' };

it('no payload is encrypted without keys', () => {
  expect(createPayloadCodec([])).toBeUndefined();
  expect(dataConverter([])).toEqual({});
});

it('a payload is encrypted under the first key, decrypted under any, and shows neither what it is nor its type', async () => {
  const [old, both] = [codecOf(key('p1', 1)), codecOf(key('p2', 2), key('p1', 1))];
  const [encrypted] = await both.encode([payloadOf(argument)]);
  expect(textOf(encrypted)).toContain('encryption-key-id=p2');
  expect(textOf(encrypted)).not.toMatch(/stu_1|studentId|json\/plain/);
  expect((await both.decode(encrypted === undefined ? [] : [encrypted])).map(valueOf)).toEqual([argument]);
  expect((await both.decode(await old.encode([payloadOf(argument)]))).map(valueOf)).toEqual([argument]);
});

it('two encryptions of a payload differ', async () => {
  const codec = codecOf(key('p1', 1));
  const [one, other] = await codec.encode([payloadOf(argument), payloadOf(argument)]);
  expect(one?.data).not.toEqual(other?.data);
});

it('what was stored before the keys were set is read as it is', async () => {
  const payload = payloadOf(argument);
  expect(await codecOf(key('p1', 1)).decode([payload])).toEqual([payload]);
});

it('the entry plain encrypts nothing, and the keys after it decrypt', async () => {
  const codec = codecOf('plain', key('p1', 1));
  expect(await codec.encode([payloadOf(argument)])).toEqual([payloadOf(argument)]);
  expect((await codec.decode(await codecOf(key('p1', 1)).encode([payloadOf(argument)]))).map(valueOf)).toEqual([argument]);
});

it('a payload of an unknown key, or that was changed, is refused', async () => {
  const [encrypted] = await codecOf(key('p1', 1)).encode([payloadOf(argument)]);
  if (encrypted === undefined) throw new Error('One payload is encoded to one');
  await expect(codecOf(key('p2', 2)).decode([encrypted])).rejects.toThrow('No key of TEMPORAL_CODEC_KEYS has the id "p1" of a payload');
  const changed = { ...encrypted, data: Buffer.from(encrypted.data ?? []).map((byte, at) => (at === 40 ? byte ^ 1 : byte)) };
  await expect(codecOf(key('p1', 1)).decode([changed])).rejects.toThrow();
  const renamed = { ...encrypted, metadata: { ...encrypted.metadata, 'encryption-key-id': Buffer.from('p9') } };
  await expect(codecOf(key('p9', 1)).decode([renamed])).rejects.toThrow();
});
