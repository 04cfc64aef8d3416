import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A certificate and its key, as files. */
export interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

/** What Temporal's processes and those of the service prove themselves with. */
export interface ClusterCertificates {
  caFile: string;
  /** The name that every process of Temporal has in its certificate. */
  serverName: string;
  server: CertificateFiles;
  client: CertificateFiles;
}

const serverName = 'temporal.cluster.internal';
const days = '7';
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

const openssl = async (args: readonly string[]): Promise<void> => {
  await promisify(execFile)('openssl', [...args]);
};

/** Makes an authority and two certificates of it, valid for a week, in a folder. Needs openssl 3 on PATH. */
export async function makeCertificates(folder: string): Promise<ClusterCertificates> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = (name: string): CertificateFiles => ({ certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) });
  const authority = at('ca');
  await openssl(['req', '-x509', ...newKey, '-keyout', authority.keyFile, '-out', authority.certFile, '-days', days, '-subj', '/CN=Cluster authority']);
  const leaf = async (name: string, subject: string): Promise<CertificateFiles> => {
    const made = at(name);
    await openssl([
      'req', '-x509', '-CA', authority.certFile, '-CAkey', authority.keyFile, ...newKey, '-keyout', made.keyFile, '-out', made.certFile, '-days', days, '-subj', `/CN=${subject}`,
      '-addext', `subjectAltName=DNS:${subject},IP:127.0.0.1`, '-addext', 'extendedKeyUsage=serverAuth,clientAuth', '-addext', 'basicConstraints=critical,CA:FALSE',
    ]);
    return made;
  };
  return { caFile: authority.certFile, serverName, server: await leaf('server', serverName), client: await leaf('client', 'institution.cluster.internal') };
}
