import type { Readable } from 'node:stream';

/** The bytes of an upload in a temporary file, which its creator removes. */
export interface SpooledContent {
  path: string;
  /** In bytes. */
  size: number;
  /** Hex SHA-256 of the bytes. */
  sha256: string;
  contentType: string;
}

/** A completely received upload, with the file name from the client. */
export interface SpooledFile extends SpooledContent {
  filename: string;
}

/** What a signed URL serves: the object with this id, under this name and type. */
export interface NamedFile {
  id: string;
  filename: string;
  contentType: string;
  /** The id of the person who gets the URL, whose downloads are counted together; if absent, each URL counts on its own. */
  reader?: string;
}

/** A URL that anyone can fetch until it expires. */
export interface SignedUrl {
  url: string;
  expiresAt: Date;
}

/** The store of files, each an object under its row's id. `outbound/files` contains the drivers. */
export interface FileStore {
  /** Stores the bytes under this id, replacing existing ones. May move the temporary file. */
  put(id: string, spooled: SpooledContent): Promise<void>;
  /** Returns the bytes; fails if there are none. The caller must read the stream to the end or destroy it. */
  open(id: string): Promise<Readable>;
  /** Deletes the object; no-op if it does not exist. */
  delete(id: string): Promise<void>;
  /** Returns a URL of this file that is valid for one hour from `now` (section Limits). */
  signedUrl(file: NamedFile, now: Date): Promise<SignedUrl>;
}
