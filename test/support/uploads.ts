import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import type { Settings } from '../../config/settings';
import type { ApiResponse, TestApi } from './api';

/** Between the parts of every body here. */
const boundary = 'between-parts';
export const multipartType = `multipart/form-data; boundary=${boundary}`;

/** A part of a multipart body; one with a filename is a file. */
export interface Part {
  name?: string;
  filename?: string;
  type?: string;
  bytes: Buffer | string;
}

function headOf({ name, filename, type }: Part): string {
  const disposition = ['form-data', ...(name === undefined ? [] : [`name="${name}"`]), ...(filename === undefined ? [] : [`filename="${filename}"`])].join('; ');
  return `--${boundary}\r\nContent-Disposition: ${disposition}\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`;
}

/** What ends a body. */
export const closingBoundary = `--${boundary}--\r\n`;

/** What stands before the bytes of a part. */
export const partHeader = (part: Omit<Part, 'bytes'>): string => headOf({ ...part, bytes: '' });

/** A whole multipart body. */
export const multipart = (...parts: Part[]): Buffer =>
  Buffer.concat([...parts.flatMap((part) => [Buffer.from(headOf(part)), Buffer.from(part.bytes), Buffer.from('\r\n')]), Buffer.from(closingBoundary)]);

/** The one part that an upload has. */
export const zipOf = (bytes: Buffer | string, fields: Partial<Part> = {}): Part => ({ name: 'file', filename: 'starter.zip', type: 'application/zip', bytes, ...fields });

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Sends a body to `POST /exams/{id}/files`. */
export async function sendUpload(baseUrl: string, key: string, examId: string, body: Buffer, headers: Record<string, string> = {}): Promise<ApiResponse> {
  const response = await fetch(`${baseUrl}/exams/${examId}/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': multipartType, ...headers },
    body: new Uint8Array(body),
  });
  const answer = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, body: answer, data: answer.data };
}

/** The same to a test's own API, whose answer must be one that its document promises. */
export async function upload(api: TestApi, key: string, examId: string, ...parts: Part[]): Promise<ApiResponse> {
  const answer = await sendUpload(api.baseUrl, key, examId, multipart(...parts));
  api.served.requireDocumented('POST', `/exams/${examId}/files`, answer);
  return answer;
}

const filesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name) : [];

/** All files in the store's folder and in that of temporary files. */
export function storedFiles({ fileStore, uploadSpoolFolder }: Settings): { stored: string[]; spooled: string[] } {
  if (fileStore.kind !== 'folder') throw new Error('Tests keep their files in a folder');
  return { stored: filesIn(fileStore.folder).sort(), spooled: filesIn(uploadSpoolFolder) };
}
