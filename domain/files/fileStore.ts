import type { Readable } from 'node:stream';

/** The bytes of an upload as they lie in a temporary file; whoever made it removes it. */
export interface SpooledContent {
  path: string;
  /** In bytes. */
  size: number;
  /** Hex SHA-256 of the bytes. */
  sha256: string;
  contentType: string;
}

/** An upload that was received whole, with the name that its sender gave it. */
export interface SpooledFile extends SpooledContent {
  filename: string;
}

/** What a URL hands out: the object of this id, under this name and type. */
export interface NamedFile {
  id: string;
  filename: string;
  contentType: string;
  /** The id of the person whom a URL of it is for, whose downloads are counted together; without one they are the URL's. */
  reader?: string;
}

/** A URL that anybody may fetch until then. */
export interface SignedUrl {
  url: string;
  expiresAt: Date;
}

/** Where files lie, each an object under its row's id. Rules know this much of it; `outbound/files` has the drivers. */
export interface FileStore {
  /** Keeps the bytes under this id; done again it replaces them. May take the temporary file away. */
  put(id: string, spooled: SpooledContent): Promise<void>;
  /** The bytes; raises when there are none. Whoever opens it reads it to the end or destroys it. */
  open(id: string): Promise<Readable>;
  /** Gone already is done. */
  delete(id: string): Promise<void>;
  /** A URL of this file for one hour from `now` (section Limits). */
  signedUrl(file: NamedFile, now: Date): Promise<SignedUrl>;
}
