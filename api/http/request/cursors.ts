import { createHash, timingSafeEqual } from 'node:crypto';
import type { Position } from '../../../db/page';
import { validationErrorFrom } from './issues';
import type { SecretBox } from '../../../domain/secrets/secretBox';

/** A list as one caller asks for it: its operation, whose it is, and what restricts it. */
export interface ListIdentity {
  /** The id of the operation. */
  list: string;
  /** The institution; of the apps the person, too. */
  owner: readonly string[];
  /** Path parameters and filters. */
  filters: Readonly<Record<string, unknown>>;
}

// A cursor is a signature and a text in base64url. The text is a JSON array: version, list, digests of owner and filters, and
// the position. Cursors of another version are refused: it is raised when the columns of any list's order change.
const version = 1;
const signatureBytes = 16;
const digestBytes = 8;

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest().subarray(0, digestBytes).toString('base64url');

const filtersDigest = (filters: ListIdentity['filters']): string =>
  digest(Object.entries(filters).filter(([, value]) => value !== undefined).sort(([one], [other]) => (one < other ? -1 : 1)));

const invalid = (rule: string): Error => validationErrorFrom([{ path: 'cursor', message: `cursor ${rule}, or empty to begin` }], 1);
const unchanged = 'must be a next_cursor of this list as it was answered';

const isTextArray = (value: unknown): value is string[] => Array.isArray(value) && value.every((part) => typeof part === 'string');

function parse(text: string): string[] {
  const parts: unknown = JSON.parse(text);
  if (!isTextArray(parts)) throw new TypeError('A signed cursor is not a list of texts');
  return parts;
}

/** A list's cursor: where a call begins, and how the position of the next one is written. The frame binds it to the list of the call. */
export class ListCursor {
  private constructor(
    private readonly sent: string | undefined,
    private readonly bound: { readonly after: Position | null | undefined; readonly write: (position: Position) => string } | undefined,
  ) {}

  /** Returns the cursor of a query parameter, or of a query without one. */
  static of(sent?: string): ListCursor {
    return new ListCursor(sent, undefined);
  }

  /**
   * Returns the cursor for a list. Throws `validation_error` unless what was sent is empty or was written for the very same list,
   * owner and filters; so everything in it can be trusted.
   */
  bind({ fingerprint, fingerprints }: Pick<SecretBox, 'fingerprint' | 'fingerprints'>, { list, owner, filters }: ListIdentity): ListCursor {
    const head = [`${version}`, list, digest(owner), filtersDigest(filters)];
    const sign = (text: string): Buffer => fingerprint('list_cursor', text).subarray(0, signatureBytes);
    const isSigned = (text: string, signature: Buffer): boolean =>
      fingerprints('list_cursor', text).some((valid) => timingSafeEqual(signature, valid.subarray(0, signatureBytes)));
    const write = (position: Position): string => {
      const text = JSON.stringify([...head, ...position]);
      return Buffer.concat([sign(text), Buffer.from(text)]).toString('base64url');
    };
    return new ListCursor(this.sent, { after: this.sent === undefined ? undefined : readPosition(this.sent, head, isSigned), write });
  }

  /** The position after which to read; null before the first row, undefined if a page is asked for by its number. */
  get after(): Position | null | undefined {
    return this.bound?.after;
  }

  /** Returns the cursor of a position in the same list. */
  write(position: Position): string {
    if (this.bound === undefined) throw new Error('The cursor is not bound to a list');
    return this.bound.write(position);
  }
}

/** Returns the position in a cursor, null in an empty one. */
function readPosition(sent: string, [ofVersion, list, owner, filters]: readonly string[], isSigned: (text: string, signature: Buffer) => boolean): Position | null {
  if (sent === '') return null;
  const bytes = Buffer.from(sent, 'base64url');
  const [signature, body] = [bytes.subarray(0, signatureBytes), bytes.subarray(signatureBytes)];
  const text = body.toString('utf8');
  const isOurs = signature.length === signatureBytes && bytes.toString('base64url') === sent && isSigned(text, signature);
  if (!isOurs) throw invalid(unchanged);
  const [sentVersion, sentList, sentOwner, sentFilters, ...position] = parse(text);
  if (sentVersion !== ofVersion) throw invalid('is of an earlier release: it must be a next_cursor of a walk that has begun since');
  if (sentList !== list) throw invalid(`is of another list (${sentList ?? ''}): it must be a next_cursor of this one (${list ?? ''})`);
  if (sentOwner !== owner) throw invalid('is of another institution or person: it must be a next_cursor that this one was answered');
  if (sentFilters !== filters) throw invalid('is of other filters: it must be sent with the path and filters of the call that answered it');
  return position;
}
