import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/*
 * The baseline of uploads: a bare handler that hashes a body and writes it to a file, without multipart, limits, rows or
 * keys. The file is deleted afterwards, so that a run does not fill the disk.
 */
const folder = process.env.BENCH_FOLDER ?? '';
mkdirSync(folder, { recursive: true });

createServer((request, response) => {
  const path = join(folder, randomUUID());
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  pipeline(request, hashing, createWriteStream(path))
    .then(() => rm(path))
    .then(
      () => response.end(hash.digest('hex')),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
}).listen(Number(process.env.BENCH_PORT), '127.0.0.1');

process.once('SIGTERM', () => process.exit(0));
