import Router from '@koa/router';
import { decodePath } from '../api/http/router';
import type { Action } from './action';
import { actions } from './actions';
import { auditLogPage } from './pages/auditLog';
import { cancelDeliveryPage } from './pages/cancelDelivery';
import { couponBatchesPage } from './pages/couponBatches';
import { deliveriesPage } from './pages/deliveries';
import { deliveryPage } from './pages/delivery';
import { endpointPage } from './pages/endpoint';
import { eventPage } from './pages/event';
import { eventsPage } from './pages/events';
import { failingPage } from './pages/failing';
import { institutionPage } from './pages/institution';
import { institutionsPage } from './pages/institutions';
import { keysPage } from './pages/keys';
import { searchPage } from './pages/search';
import { replayChoicePage } from './pages/replayChoice';
import { revokeStaffPage, staffMemberPage, toStaffMember } from './pages/staffMember';
import { staffPage } from './pages/staff';
import { replayPage } from './pages/replay';
import { recoverPage, replayDeadPage } from './pages/replayDead';
import { requireOperator, type ConsoleRequest, type Page, type Redirection } from './consoleRequest';

const prefix = '/console';

type RenderPage = (request: ConsoleRequest) => Promise<Page | Redirection>;

/** Returns the page for operators, and refuses any other role. */
const forOperators = (render: RenderPage, words?: string): RenderPage => async (request) => {
  requireOperator(request, words);
  return render(request);
};

const pages: Readonly<Record<string, RenderPage>> = {
  '/institutions': institutionsPage,
  '/institutions/:id': institutionPage,
  '/institutions/:id/deliveries': deliveriesPage,
  '/institutions/:id/events': eventsPage,
  '/institutions/:id/audit-log': auditLogPage,
  // As their operations of the platform API.
  '/institutions/:id/coupon-batches': forOperators(couponBatchesPage, 'Only operators see the coupon batches of an institution.'),
  '/institutions/:id/keys': forOperators(keysPage, 'Only operators see the keys of an institution.'),
  '/institutions/:id/replay-dead': replayChoicePage,
  '/failing': failingPage,
  '/search': searchPage,
  '/deliveries/:id': deliveryPage,
  '/deliveries/:id/cancel': cancelDeliveryPage,
  '/endpoints/:id': endpointPage,
  '/endpoints/:id/replay-dead': replayDeadPage,
  '/endpoints/:id/recover': recoverPage,
  '/endpoints/:id/replays/:replay': replayPage,
  '/events/:id': eventPage,
  '/staff': forOperators(staffPage),
  '/staff/:id': forOperators(staffMemberPage),
  '/staff/:id/revoke': forOperators(revokeStaffPage),
  // Where a page that shows a token once is loaded again.
  '/staff/:id/tokens': forOperators(toStaffMember),
};

/** The paths of all pages, with the names of their parameters. */
export const pageRoutes: readonly string[] = Object.keys(pages).map((path) => `${prefix}${path}`);

/** The page or action at a path. */
export interface RouteMatch<Target> {
  target: Target;
  /** The route's pattern, for logs and metrics. */
  route: string;
  params: Readonly<Record<string, string | undefined>>;
}

type FindRoute<Target> = (path: string) => RouteMatch<Target> | undefined;

/** Returns what finds a target by its path, decoded as the API decodes paths; a trailing slash is ignored, because people type these paths. No path has a control character. */
function createFinder<Target>(targets: readonly (readonly [path: string, target: Target])[]): FindRoute<Target> {
  const router = new Router({ prefix, sensitive: true, strict: false });
  const byPath = new Map(targets.map(([path, target]) => [`${prefix}${path}`, target]));
  for (const [path] of targets) router.all(path, () => undefined);
  return (path) => {
    const decoded = decodePath(path);
    const layer = decoded === undefined || /\p{Cc}/u.test(decoded) ? undefined : router.match(decoded, 'GET').pathAndMethod[0];
    const target = typeof layer?.path === 'string' ? byPath.get(layer.path) : undefined;
    if (decoded === undefined || layer === undefined || target === undefined) return undefined;
    return { target, route: String(layer.path), params: layer.params(decoded, layer.captures(decoded)) };
  };
}

/** Returns the page at a path. */
export const findPage: FindRoute<RenderPage> = createFinder(Object.entries(pages));

/** Returns the action at a path. */
export const findAction: FindRoute<Action> = createFinder(actions.map((action) => [action.path, action] as const));
