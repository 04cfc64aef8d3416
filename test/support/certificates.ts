import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The files of a certificate and its key. */
export interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

/** An authority that certifies names for the tests of one file. */
export interface Authority {
  caFile: string;
  ca: Buffer;
  /** Certifies a name, for servers and clients. */
  certify(name: string): CertificateFiles & { cert: Buffer; key: Buffer };
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Makes an authority, in a folder of its own. */
export function createAuthority(name = 'Test authority'): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'authority-'));
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const path = (file: string): string => join(folder, file);
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2', '-subj', `/CN=${name}`, '-addext', 'basicConstraints=critical,CA:TRUE');
  return {
    caFile: path('ca.crt'),
    ca: readFileSync(path('ca.crt')),
    certify: (subject) => {
      writeFileSync(path(`${subject}.ext`), `subjectAltName=DNS:${subject}\nextendedKeyUsage=serverAuth,clientAuth\n`);
      openssl('req', ...newKey, '-keyout', `${subject}.key`, '-out', `${subject}.csr`, '-subj', `/CN=${subject}`);
      openssl('x509', '-req', '-in', `${subject}.csr`, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-out', `${subject}.crt`, '-extfile', `${subject}.ext`);
      const files = { certFile: path(`${subject}.crt`), keyFile: path(`${subject}.key`) };
      return { ...files, cert: readFileSync(files.certFile), key: readFileSync(files.keyFile) };
    },
  };
}
