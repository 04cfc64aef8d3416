import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { NamedKey } from '../../config/serviceKeys';
import { plainEntry, type PayloadKeys } from '../../config/temporalSettings';
import { decryptBytes, encryptBytes } from '../../domain/secrets/aesGcm';

const wire = temporal.api.common.v1.Payload;

/** What Temporal's own examples mark encrypted payloads by; the Web UI sends those to the codec server. */
const encryptedEncoding = 'binary/encrypted';
const keyIdField = 'encryption-key-id';

const textOf = (payload: Payload, field: string): string => Buffer.from(payload.metadata?.[field] ?? []).toString('utf8');

/** Binds a payload to its use and its key; to no workflow, because Temporal passes payloads on to others. */
const associated = (keyId: string): Buffer => Buffer.from(JSON.stringify(['temporal-payload', keyId]));

const encrypt = ({ id, key }: NamedKey, payload: Payload): Payload => ({
  metadata: { encoding: Buffer.from(encryptedEncoding), [keyIdField]: Buffer.from(id) },
  data: encryptBytes(key, Buffer.from(wire.encode(payload).finish()), associated(id)),
});

/**
 * Returns the codec of payloads: AES-256-GCM under the first key; undefined without keys. Decodes what was encrypted under any of
 * them, and leaves what is not encrypted as it is, so that it can be switched on while workflows run.
 */
export function createPayloadCodec(keys: PayloadKeys): PayloadCodec | undefined {
  const [newest] = keys;
  if (newest === undefined) return undefined;
  const keysById = new Map(keys.flatMap((entry) => (entry === plainEntry ? [] : [[entry.id, entry.key] as const])));
  const decode = (payload: Payload): Payload => {
    if (textOf(payload, 'encoding') !== encryptedEncoding) return payload;
    const keyId = textOf(payload, keyIdField);
    const key = keysById.get(keyId);
    if (key === undefined) throw new Error(`No key of TEMPORAL_CODEC_KEYS has the id ${JSON.stringify(keyId.slice(0, 64))} of a payload`);
    return wire.decode(decryptBytes(key, Buffer.from(payload.data ?? []), associated(keyId)));
  };
  return {
    encode: async (payloads) => (newest === plainEntry ? payloads : payloads.map((payload) => encrypt(newest, payload))),
    decode: async (payloads) => payloads.map(decode),
  };
}

/** Returns the data converter of every client and worker. */
export function dataConverter(keys: PayloadKeys): DataConverter {
  const codec = createPayloadCodec(keys);
  return codec === undefined ? {} : { payloadCodecs: [codec] };
}
