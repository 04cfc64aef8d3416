import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** A zip archive that is written to a file, entry after entry. */
export interface ZipFile {
  /** Adds a file of the archive, at a path with slashes. */
  add(path: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  /** Writes the list of entries and closes the file; returns its size in bytes and its hex SHA-256. */
  finish(): Promise<{ size: number; sha256: string }>;
  /** Closes the file; what was written is no archive. */
  abandon(): Promise<void>;
}

/** What the list of entries says of one. */
interface Entry {
  name: Buffer;
  crc: number;
  size: number;
  offset: number;
}

// Every size and offset is in the extra field of ZIP64: one form for files of any size.
const versionNeeded = 45;
const utf8Names = 0x0800;
const stored = 0;
const inExtraField = 0xffffffff;
const zip64Extra = 0x0001;
// 1980-01-01, the first day that the format has: what is in the archive says when it was made.
const noTime = 0;
const firstDay = 0x21;

function fixedFields(crc: number): Buffer {
  const fields = Buffer.alloc(22);
  fields.writeUInt16LE(versionNeeded, 0);
  fields.writeUInt16LE(utf8Names, 2);
  fields.writeUInt16LE(stored, 4);
  fields.writeUInt16LE(noTime, 6);
  fields.writeUInt16LE(firstDay, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(inExtraField, 14);
  fields.writeUInt32LE(inExtraField, 18);
  return fields;
}

const uint16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, nth) => bytes.writeUInt16LE(value, 2 * nth));
  return bytes;
};
const uint32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, nth) => bytes.writeUInt32LE(value, 4 * nth));
  return bytes;
};
const uint64 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, nth) => bytes.writeBigUInt64LE(BigInt(value), 8 * nth));
  return bytes;
};

const extraField = (...values: number[]): Buffer => Buffer.concat([uint16(zip64Extra, 8 * values.length), uint64(...values)]);

function localHeader({ name, crc, size }: Entry): Buffer {
  const extra = extraField(size, size);
  return Buffer.concat([uint32(0x04034b50), fixedFields(crc), uint16(name.length, extra.length), name, extra]);
}

function listedEntry({ name, crc, size, offset }: Entry): Buffer {
  const extra = extraField(size, size, offset);
  // No comment, the first disk, no attributes.
  return Buffer.concat([uint32(0x02014b50), uint16(versionNeeded), fixedFields(crc), uint16(name.length, extra.length, 0, 0, 0), uint32(0, inExtraField), name, extra]);
}

function endOfList(entries: number, listSize: number, listOffset: number): Buffer {
  const end = Buffer.concat([uint32(0x06064b50), uint64(44), uint16(versionNeeded, versionNeeded), uint32(0, 0), uint64(entries, entries, listSize, listOffset)]);
  const locator = Buffer.concat([uint32(0x07064b50, 0), uint64(listOffset + listSize), uint32(1)]);
  return Buffer.concat([end, locator, uint32(0x06054b50), uint16(0, 0, 0xffff, 0xffff), uint32(inExtraField, inExtraField), uint16(0)]);
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path);
  const chunks: AsyncIterable<Buffer> = file.createReadStream();
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

class OpenZipFile implements ZipFile {
  private readonly entries: Entry[] = [];
  private position = 0;

  constructor(private readonly path: string, private readonly file: FileHandle) {}

  async add(path: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const entry: Entry = { name: Buffer.from(path), crc: 0, size: 0, offset: this.position };
    // The header has the size and the checksum, which are known at the end.
    await this.write(localHeader(entry));
    for await (const chunk of content) {
      await this.write(chunk);
      entry.crc = crc32(chunk, entry.crc);
      entry.size += chunk.length;
    }
    const header = localHeader(entry);
    await this.file.write(header, 0, header.length, entry.offset);
    this.entries.push(entry);
  }

  async finish(): Promise<{ size: number; sha256: string }> {
    const listOffset = this.position;
    for (const entry of this.entries) await this.write(listedEntry(entry));
    await this.write(endOfList(this.entries.length, this.position - listOffset, listOffset));
    await this.file.close();
    return { size: this.position, sha256: await digestOf(this.path) };
  }

  abandon(): Promise<void> {
    return this.file.close();
  }

  private async write(bytes: Uint8Array): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.file.write(bytes, written, bytes.length - written, this.position + written);
      written += bytesWritten;
    }
    this.position += bytes.length;
  }
}

/** Creates a zip archive at a path, in place of what is there, for its owner alone to read. Its entries are stored as they are: recordings and images are compressed already. */
export async function createZipFile(path: string): Promise<ZipFile> {
  return new OpenZipFile(path, await open(path, 'w', 0o600));
}
