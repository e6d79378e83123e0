import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { parseTimeSearch } from '../filter/time-range.ts'
import { parseCompareSearch } from '../pages/compare/compare-search.ts'
import { parseDashboardSearch } from '../pages/dashboard/dashboard-search.ts'
import { parseLogSearch } from '../pages/logs/log-search.ts'
import { parseMetricSearch } from '../pages/metrics/metric-search.ts'
import { parseModelsSearch } from '../pages/prices/models-search.ts'
import { parseViewSearch } from '../pages/trace/view-search.ts'
import { parseTraceSearch } from '../pages/traces/trace-search.ts'
import { parseTextParam } from '../search-params.ts'
import { signedIn } from './signed-in.ts'

/*
 * The pages of a project.
 */

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/p/$projectId',
  component: lazyRouteComponent(() => import('../shell/ProjectFrame.tsx'), 'ProjectFrame'),
})

const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/p/$projectId/traces', params })
  },
})

const traces = createRoute({
  getParentRoute: () => project,
  path: '/traces',
  validateSearch: parseTraceSearch,
  component: lazyRouteComponent(() => import('../pages/traces/TraceListPage.tsx'), 'TraceListPage'),
})

const trace = createRoute({
  getParentRoute: () => project,
  path: '/traces/$traceId',
  validateSearch: parseViewSearch,
  component: lazyRouteComponent(() => import('../pages/trace/TracePage.tsx'), 'TracePage'),
})

const compare = createRoute({
  getParentRoute: () => project,
  path: '/compare',
  validateSearch: parseCompareSearch,
  component: lazyRouteComponent(() => import('../pages/compare/ComparePage.tsx'), 'ComparePage'),
})

const sessions = createRoute({
  getParentRoute: () => project,
  path: '/sessions',
  component: lazyRouteComponent(() => import('../pages/sessions/SessionsPage.tsx'), 'SessionsPage'),
})

const session = createRoute({
  getParentRoute: () => project,
  path: '/sessions/$sessionId',
  component: lazyRouteComponent(() => import('../pages/sessions/SessionPage.tsx'), 'SessionPage'),
})

const users = createRoute({
  getParentRoute: () => project,
  path: '/users',
  component: lazyRouteComponent(() => import('../pages/users/UsersPage.tsx'), 'UsersPage'),
})

const dashboard = createRoute({
  getParentRoute: () => project,
  path: '/dashboard',
  validateSearch: parseDashboardSearch,
  component: lazyRouteComponent(
    () => import('../pages/dashboard/DashboardPage.tsx'),
    'DashboardPage',
  ),
})

const metrics = createRoute({
  getParentRoute: () => project,
  path: '/metrics',
  validateSearch: parseMetricSearch,
  component: lazyRouteComponent(() => import('../pages/metrics/MetricsPage.tsx'), 'MetricsPage'),
})

const logs = createRoute({
  getParentRoute: () => project,
  path: '/logs',
  validateSearch: parseLogSearch,
  component: lazyRouteComponent(() => import('../pages/logs/LogsPage.tsx'), 'LogsPage'),
})

const prices = createRoute({
  getParentRoute: () => project,
  path: '/prices',
  component: lazyRouteComponent(() => import('../pages/prices/PricesFrame.tsx'), 'PricesFrame'),
})

const pricesHome = createRoute({
  getParentRoute: () => prices,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/p/$projectId/prices/models', params, replace: true })
  },
})

const modelPrices = createRoute({
  getParentRoute: () => prices,
  path: '/models',
  validateSearch: parseModelsSearch,
  component: lazyRouteComponent(() => import('../pages/prices/ModelsPage.tsx'), 'ModelsPage'),
})

const customPrices = createRoute({
  getParentRoute: () => prices,
  path: '/custom',
  component: lazyRouteComponent(
    () => import('../pages/prices/CustomPricesPage.tsx'),
    'CustomPricesPage',
  ),
})

const repricing = createRoute({
  getParentRoute: () => prices,
  path: '/recalculate',
  validateSearch: parseTimeSearch,
  component: lazyRouteComponent(() => import('../pages/prices/RepricingPage.tsx'), 'RepricingPage'),
})

const storage = createRoute({
  getParentRoute: () => project,
  path: '/storage',
  component: lazyRouteComponent(() => import('../pages/storage/StoragePage.tsx'), 'StoragePage'),
})

const send = createRoute({
  getParentRoute: () => project,
  path: '/send',
  validateSearch: (search): { with?: string } => {
    const tool = parseTextParam(search, 'with')
    return tool === undefined ? {} : { with: tool }
  },
  component: lazyRouteComponent(() => import('../pages/send/SendPage.tsx'), 'SendPage'),
})

const keys = createRoute({
  getParentRoute: () => project,
  path: '/keys',
  component: lazyRouteComponent(() => import('../pages/keys/KeysPage.tsx'), 'KeysPage'),
})

export const projectRoutes = project.addChildren([
  projectHome,
  traces,
  trace,
  compare,
  sessions,
  session,
  users,
  dashboard,
  metrics,
  logs,
  prices.addChildren([pricesHome, modelPrices, customPrices, repricing]),
  storage,
  send,
  keys,
])
