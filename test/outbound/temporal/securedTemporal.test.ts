import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTemporal, type TemporalConnection, type TemporalOptions } from '../../../outbound/temporal/engine';
import { createAuthority, type CertificateFiles } from '../../support/certificates';
import { eventually } from '../../support/eventually';
import { startGrpcProxy, type GrpcProxy } from '../../support/grpcProxy';
import { stack } from '../../support/stack';

const serverName = 'temporal.test';
const authority = createAuthority();
const certificates = { first: authority.certify('first.test'), second: authority.certify('second.test') };
const stranger = createAuthority('Somebody else').certify('stranger.test');
const apiKeyText = (generation: number): string => `api-key-${generation}`;

let proxy: GrpcProxy;
let namespace: string;
const opened: TemporalConnection[] = [];
const unusable: string[] = [];

beforeAll(async () => {
  const { temporalAddress, temporalNamespace } = await stack();
  namespace = temporalNamespace;
  proxy = await startGrpcProxy(temporalAddress, { ...authority.certify(serverName), ca: authority.ca });
});
beforeEach(() => unusable.splice(0));
afterEach(() => Promise.all(opened.splice(0).map((temporal) => temporal.close())));
afterAll(async () => {
  await proxy.close();
  await (await stack()).stop();
});

/** Files that a test may change, with the content of those given. */
function ownFiles(of: CertificateFiles): CertificateFiles & { apiKeyFile: string } {
  const folder = mkdtempSync(join(tmpdir(), 'temporal-client-'));
  const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key'), apiKeyFile: join(folder, 'api-key') };
  replace(files, of);
  writeFileSync(files.apiKeyFile, `${apiKeyText(1)}\n`);
  return files;
}

function replace(files: CertificateFiles, by: CertificateFiles): void {
  copyFileSync(by.keyFile, files.keyFile);
  copyFileSync(by.certFile, files.certFile);
}

function open(client: CertificateFiles | null, more: Partial<TemporalOptions> = {}): TemporalConnection {
  const temporal = openTemporal({ address: proxy.address, tls: { serverName, caFile: authority.caFile, client }, namespace, taskQueue: 'none', onFilesUnusable: ({ message }) => unusable.push(message), ...more });
  opened.push(temporal);
  return temporal;
}

const callTemporal = (temporal: TemporalConnection, withinMs = 10_000) => temporal.withDeadline(withinMs, () => temporal.client.workflowService.describeNamespace({ namespace }));
/** The call as the server saw it. */
async function seen(temporal: TemporalConnection) {
  await callTemporal(temporal);
  return proxy.calls.at(-1);
}

describe('a server that asks for certificates', () => {
  it('knows the client by its certificate', async () => {
    expect(await seen(open(certificates.first))).toMatchObject({ method: 'DescribeNamespace', client: 'first.test', authorization: undefined });
  });

  it.each([
    ['without a certificate', () => open(null)],
    ['with the certificate of another authority', () => open(stranger)],
    ['that trusts another authority', () => open(certificates.first, { tls: { serverName, caFile: stranger.certFile, client: certificates.first } })],
    ['that expects another name', () => open(certificates.first, { tls: { serverName: 'other.test', caFile: authority.caFile, client: certificates.first } })],
    ['without TLS', () => open(null, { tls: null })],
  ])('is not reached by a client %s', async (_who, client) => {
    const before = proxy.calls.length;
    await expect(callTemporal(client(), 1_000)).rejects.toThrow();
    expect(proxy.calls).toHaveLength(before);
  });
});

describe('files that change', () => {
  it('are those of the next connection; a call under way ends on the one before', async () => {
    const files = ownFiles(certificates.first);
    const temporal = open(files);
    expect(await seen(temporal)).toMatchObject({ client: 'first.test' });
    proxy.hang = () => true;
    const before = proxy.calls.length;
    const underWay = callTemporal(temporal, 60_000);
    await eventually('the call at the server', () => proxy.calls.length > before);
    proxy.hang = () => false;
    replace(files, certificates.second);
    await eventually('a call with the new certificate', async () => (await seen(temporal))?.client === 'second.test');
    proxy.release();
    await expect(underWay).resolves.toMatchObject({ namespaceInfo: { name: namespace } });
    expect(unusable).toEqual([]);
  });

  it('are not used until key and certificate belong together', async () => {
    const files = ownFiles(certificates.first);
    const temporal = open(files);
    copyFileSync(certificates.second.keyFile, files.keyFile);
    await eventually('the report of the mismatch', async () => {
      await callTemporal(temporal);
      return unusable.length > 0;
    });
    expect(await seen(temporal)).toMatchObject({ client: 'first.test' });
    expect(unusable).toHaveLength(1);
    copyFileSync(certificates.second.certFile, files.certFile);
    await eventually('a call with the new certificate', async () => (await seen(temporal))?.client === 'second.test');
  });

  it('have the API key of the next call', async () => {
    const files = ownFiles(certificates.first);
    const temporal = open(files, { apiKeyFile: files.apiKeyFile });
    expect(await seen(temporal)).toMatchObject({ authorization: `Bearer ${apiKeyText(1)}` });
    writeFileSync(files.apiKeyFile, apiKeyText(2));
    await eventually('a call with the new key', async () => (await seen(temporal))?.authorization === `Bearer ${apiKeyText(2)}`);
  });

  it('that Temporal refuses are not used, which is said once; the right ones are, without a restart', async () => {
    const files = ownFiles(certificates.first);
    const temporal = open(files);
    await callTemporal(temporal);
    replace(files, stranger);
    const until = async (what: string, holds: () => boolean): Promise<void> => {
      await eventually(what, async () => {
        await callTemporal(temporal);
        return holds();
      });
    };
    await until('the report that they are refused', () => unusable.length > 0);
    expect(unusable).toEqual([expect.stringContaining('those before stay')]);
    replace(files, certificates.second);
    await until('a call with the right certificate', () => proxy.calls.at(-1)?.client === 'second.test');
    expect(unusable).toHaveLength(1);
  });

  it('with an API key that Temporal refuses are tried again, until it accepts the key', async () => {
    const files = ownFiles(certificates.first);
    const temporal = open(files, { apiKeyFile: files.apiKeyFile });
    await callTemporal(temporal);
    const newKey = `Bearer ${apiKeyText(3)}`;
    const tries = (): number => proxy.calls.filter(({ authorization, method }) => authorization === newKey && method === 'DescribeNamespace').length;
    proxy.refuses = ({ authorization }) => authorization === newKey;
    writeFileSync(files.apiKeyFile, apiKeyText(3));
    await eventually('two tries of the new key', async () => {
      await callTemporal(temporal);
      return tries() >= 2;
    });
    expect(unusable).toEqual([expect.stringContaining('those before stay')]);
    proxy.refuses = () => false;
    await eventually('a call with the new key', async () => (await seen(temporal))?.authorization === newKey);
  });

  it('are used where Temporal refuses those before as well', async () => {
    const files = ownFiles(certificates.first);
    const temporal = open(files, { apiKeyFile: files.apiKeyFile });
    await callTemporal(temporal);
    proxy.refuses = ({ method }) => method === 'DescribeNamespace';
    writeFileSync(files.apiKeyFile, apiKeyText(4));
    const isNew = (authorization: string | undefined): boolean => authorization === `Bearer ${apiKeyText(4)}`;
    await eventually('calls with the new key, beyond the one that tries it', async () => {
      await expect(callTemporal(temporal)).rejects.toThrow('unauthorized');
      return proxy.calls.filter(({ authorization, method }) => isNew(authorization) && method === 'DescribeNamespace').length >= 3;
    });
    expect(unusable).toEqual([]);
    proxy.refuses = () => false;
  });
});
