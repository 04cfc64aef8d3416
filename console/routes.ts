import findMyWay, { type HTTPMethod } from 'find-my-way';
import { actions, type Action } from './actions';
import { auditLogPage } from './pages/auditLog';
import { cancelDeliveryPage } from './pages/cancelDelivery';
import { deliveriesPage } from './pages/deliveries';
import { deliveryPage } from './pages/delivery';
import { endpointPage } from './pages/endpoint';
import { eventPage } from './pages/event';
import { institutionPage } from './pages/institution';
import { institutionsPage } from './pages/institutions';
import { replayDeadPage, replayPage } from './pages/replayDead';
import type { Page, ConsoleRequest } from './consoleRequest';

type RenderPage = (request: ConsoleRequest) => Promise<Page>;

const pages: Readonly<Record<string, RenderPage>> = {
  '/institutions': institutionsPage,
  '/institutions/:id': institutionPage,
  '/institutions/:id/deliveries': deliveriesPage,
  '/institutions/:id/audit-log': auditLogPage,
  '/deliveries/:id': deliveryPage,
  '/deliveries/:id/cancel': cancelDeliveryPage,
  '/endpoints/:id': endpointPage,
  '/endpoints/:id/replay-dead': replayDeadPage,
  '/endpoints/:id/replays/:replay': replayPage,
  '/events/:id': eventPage,
};

/** The page or action at a path. */
export interface RouteMatch<Target> {
  target: Target;
  /** The route's pattern, for logs and metrics. */
  route: string;
  params: Readonly<Record<string, string | undefined>>;
}

type FindRoute<Target> = (path: string) => RouteMatch<Target> | undefined;

function createFinder<Target>(method: HTTPMethod, targets: readonly (readonly [path: string, target: Target])[]): FindRoute<Target> {
  const router = findMyWay({ ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 200 });
  const byPath = new Map(targets.map(([path, target]) => [`/console${path}`, target]));
  for (const route of byPath.keys()) router.on(method, route, () => undefined, route);
  return (path) => {
    const match = router.find(method, path);
    const route: unknown = match?.store;
    const target = typeof route === 'string' ? byPath.get(route) : undefined;
    return match === null || target === undefined ? undefined : { target, route: String(route), params: match.params };
  };
}

/** Returns the page at a path. */
export const findPage: FindRoute<RenderPage> = createFinder('GET', Object.entries(pages));

/** Returns the action at a path. */
export const findAction: FindRoute<Action> = createFinder('POST', actions.map((action) => [action.path, action] as const));
