import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KubernetesObject } from './objects';

/** A server that responds to Helm's `lookup` of Deployments as Kubernetes does. */
export interface DeploymentsServer {
  /** What is there: the objects of a rendering with the numbers of pods that they have now. */
  deployments: Map<string, KubernetesObject>;
  url: string;
  close(): Promise<void>;
}

/** The resources of a group, as Kubernetes lists them. */
const resources = { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'apps/v1', resources: [{ name: 'deployments', singularName: 'deployment', namespaced: true, kind: 'Deployment', verbs: ['get', 'list'] }] };

/** Starts a server of Deployments in the namespace `school`, without any. */
export async function startDeploymentsServer(): Promise<DeploymentsServer> {
  const deployments = new Map<string, KubernetesObject>();
  const folder = '/apis/apps/v1/namespaces/school/deployments';
  const answer = (path: string): object | undefined => {
    if (path === '/apis/apps/v1') return resources;
    if (path === folder) return { kind: 'DeploymentList', apiVersion: 'apps/v1', metadata: {}, items: [...deployments.values()] };
    return path.startsWith(`${folder}/`) ? deployments.get(path.slice(folder.length + 1)) : undefined;
  };
  const server = createServer(({ url = '' }, response) => {
    const found = answer(url.split('?')[0] ?? '');
    response.writeHead(found === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(found ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    deployments,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
