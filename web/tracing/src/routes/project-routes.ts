import { defineHome, defineNotFound, definePage } from '@assay/account/routes/define-page.ts'
import { number, oneOf, text } from '@assay/account/routes/search-fields.ts'
import { searchSchema } from '@assay/account/routes/search-schema.ts'
import { disagreementKinds } from '@assay/contract/score-agreement.ts'
import { scoreSources } from '@assay/contract/scores.ts'
import {
  IconBell,
  IconChartHistogram,
  IconChartLine,
  IconChecklist,
  IconCoin,
  IconDatabase,
  IconKey,
  IconListTree,
  IconLogs,
  IconMessages,
  IconSend,
  IconTestPipe,
  IconUsers,
} from '@tabler/icons-react'
import { timedSearchSchema } from '../filter/time-range.ts'
import { compareSearch } from '../pages/compare/compare-search.ts'
import { dashboardSearch } from '../pages/dashboard/dashboard-search.ts'
import { evaluatorSearch } from '../pages/evaluators/evaluator-search.ts'
import { logSearch } from '../pages/logs/log-search.ts'
import { metricSearch } from '../pages/metrics/metric-search.ts'
import { modelsSearch } from '../pages/prices/models-search.ts'
import { viewSearch } from '../pages/trace/view-search.ts'
import { traceSearch } from '../parts/trace-search.ts'
import { costCalculatorRoutes, syntheticRoutes } from './agent-routes.ts'
import { project } from './project.ts'

/*
 * The pages of a project, in the order of the navigation.
 */

const traces = definePage({
  parent: project,
  path: '/traces',
  title: 'Traces',
  link: true,
  goKey: 't',
  Icon: IconListTree,
  keywords: 'runs list',
  search: traceSearch,
  load: () => import('../pages/traces/TraceListPage.tsx').then((file) => file.TraceListPage),
})

const trace = definePage({
  parent: project,
  path: '/traces/$traceId',
  title: 'Trace',
  search: viewSearch,
  load: () => import('../pages/trace/TracePage.tsx').then((file) => file.TracePage),
})

const compare = definePage({
  parent: project,
  path: '/compare',
  title: 'Compare traces',
  search: compareSearch,
  load: () => import('../pages/compare/ComparePage.tsx').then((file) => file.ComparePage),
})

const sessions = definePage({
  parent: project,
  path: '/sessions',
  title: 'Sessions',
  link: true,
  goKey: 's',
  Icon: IconMessages,
  keywords: 'conversations chats',
  load: () => import('../pages/sessions/SessionsPage.tsx').then((file) => file.SessionsPage),
})

const session = definePage({
  parent: project,
  path: '/sessions/$sessionId',
  title: 'Session',
  load: () => import('../pages/sessions/SessionPage.tsx').then((file) => file.SessionPage),
})

const users = definePage({
  parent: project,
  path: '/users',
  title: 'Users',
  link: true,
  goKey: 'u',
  Icon: IconUsers,
  keywords: 'end users customers',
  load: () => import('../pages/users/UsersPage.tsx').then((file) => file.UsersPage),
})

const dashboard = definePage({
  parent: project,
  path: '/dashboard',
  title: 'Dashboard',
  link: true,
  goKey: 'd',
  Icon: IconChartHistogram,
  keywords: 'charts latency cost errors',
  search: dashboardSearch,
  load: () => import('../pages/dashboard/DashboardPage.tsx').then((file) => file.DashboardPage),
})

const scores = definePage({
  parent: project,
  path: '/scores',
  title: 'Scores',
  link: true,
  goKey: 'r',
  Icon: IconChecklist,
  load: () => import('../pages/scores/ScoresFrame.tsx').then((file) => file.ScoresFrame),
})

const scoreResults = definePage({
  parent: scores,
  path: '/results',
  title: 'Scores',
  link: 'Results',
  keywords: 'evaluations evaluators quality trends',
  search: searchSchema({ name: text, source: oneOf(scoreSources) }),
  load: () => import('../pages/scores/ScoresPage.tsx').then((file) => file.ScoresPage),
})

const agreement = definePage({
  parent: scores,
  path: '/agreement',
  title: 'Evaluator agreement',
  link: 'Agreement',
  keywords: 'human review disagreement kappa',
  load: () => import('../pages/scores/AgreementPage.tsx').then((file) => file.AgreementPage),
})

const disagreements = definePage({
  parent: scores,
  path: '/agreement/$evaluatorId',
  title: 'Disagreements',
  search: searchSchema({ kind: oneOf(disagreementKinds) }),
  load: () =>
    import('../pages/scores/DisagreementsPage.tsx').then((file) => file.DisagreementsPage),
})

const reviewQueues = definePage({
  parent: scores,
  path: '/review',
  title: 'Review queues',
  link: 'Review',
  keywords: 'annotation queue human labels scoring',
  load: () => import('../pages/review/ReviewQueuesPage.tsx').then((file) => file.ReviewQueuesPage),
})

const review = definePage({
  parent: scores,
  path: '/review/$queueId',
  title: 'Review',
  search: searchSchema({ position: number({ min: 1, isWhole: true }) }),
  load: () => import('../pages/review/ReviewPage.tsx').then((file) => file.ReviewPage),
})

const metrics = definePage({
  parent: project,
  path: '/metrics',
  title: 'Metrics',
  link: true,
  goKey: 'm',
  Icon: IconChartLine,
  keywords: 'series explorer',
  search: metricSearch,
  load: () => import('../pages/metrics/MetricsPage.tsx').then((file) => file.MetricsPage),
})

const logs = definePage({
  parent: project,
  path: '/logs',
  title: 'Logs',
  link: true,
  goKey: 'l',
  Icon: IconLogs,
  keywords: 'records severity',
  search: logSearch,
  load: () => import('../pages/logs/LogsPage.tsx').then((file) => file.LogsPage),
})

const alerts = definePage({
  parent: project,
  path: '/alerts',
  title: 'Alerts',
  link: true,
  goKey: 'a',
  Icon: IconBell,
  keywords: 'rules thresholds notifications webhook mail monitor',
  search: searchSchema({ rule: text }),
  load: () => import('../pages/alerts/AlertsPage.tsx').then((file) => file.AlertsPage),
})

const evaluators = definePage({
  parent: project,
  path: '/evaluators',
  title: 'Evaluators',
  link: true,
  goKey: 'e',
  Icon: IconTestPipe,
  load: () =>
    import('../pages/evaluators/EvaluatorsFrame.tsx').then((file) => file.EvaluatorsFrame),
})

const evaluatorCatalogue = definePage({
  parent: evaluators,
  path: '/catalogue',
  title: 'Evaluators',
  link: true,
  keywords: 'judge score quality prompt catalogue',
  search: evaluatorSearch,
  load: () => import('../pages/evaluators/EvaluatorsPage.tsx').then((file) => file.EvaluatorsPage),
})

const collections = definePage({
  parent: evaluators,
  path: '/collections',
  title: 'Evaluator collections',
  link: 'Collections',
  keywords: 'evaluate set group',
  load: () =>
    import('../pages/evaluators/CollectionsPage.tsx').then((file) => file.CollectionsPage),
})

const evaluationRuns = definePage({
  parent: evaluators,
  path: '/runs',
  title: 'Evaluation runs',
  link: 'Runs',
  keywords: 'evaluate many traces bulk progress jobs',
  load: () => import('../pages/evaluators/RunsPage.tsx').then((file) => file.RunsPage),
})

const automaticEvaluation = definePage({
  parent: evaluators,
  path: '/automatic',
  title: 'Automatic evaluation',
  link: 'Automatic',
  keywords: 'rules online evaluate new traces sampling',
  load: () => import('../pages/evaluators/AutomaticPage.tsx').then((file) => file.AutomaticPage),
})

const prices = definePage({
  parent: project,
  path: '/prices',
  title: 'Prices',
  link: true,
  goKey: 'p',
  Icon: IconCoin,
  load: () => import('../pages/prices/PricesFrame.tsx').then((file) => file.PricesFrame),
})

const modelPrices = definePage({
  parent: prices,
  path: '/models',
  title: 'Model prices',
  link: 'Models',
  keywords: 'cost tokens unpriced',
  search: modelsSearch,
  load: () => import('../pages/prices/ModelsPage.tsx').then((file) => file.ModelsPage),
})

const customPrices = definePage({
  parent: prices,
  path: '/custom',
  title: 'Custom prices',
  link: true,
  keywords: 'cost override own alias',
  load: () => import('../pages/prices/CustomPricesPage.tsx').then((file) => file.CustomPricesPage),
})

const repricing = definePage({
  parent: prices,
  path: '/recalculate',
  title: 'Recalculate costs',
  link: true,
  keywords: 'reprice repricing',
  search: timedSearchSchema({}),
  load: () => import('../pages/prices/RepricingPage.tsx').then((file) => file.RepricingPage),
})

const storage = definePage({
  parent: project,
  path: '/storage',
  title: 'Storage',
  link: true,
  Icon: IconDatabase,
  keywords: 'retention keep days delete',
  load: () => import('../pages/storage/StoragePage.tsx').then((file) => file.StoragePage),
})

const send = definePage({
  parent: project,
  path: '/send',
  title: 'Send traces',
  link: true,
  Icon: IconSend,
  keywords: 'instrument snippets quick start',
  search: searchSchema({ with: text }),
  load: () => import('../pages/send/SendPage.tsx').then((file) => file.SendPage),
})

const keys = definePage({
  parent: project,
  path: '/keys',
  title: 'Tracing keys',
  link: true,
  goKey: 'k',
  Icon: IconKey,
  keywords: 'api key secret',
  load: () => import('../pages/keys/KeysPage.tsx').then((file) => file.KeysPage),
})

export const projectRoutes = project.addChildren([
  defineHome(project, '/p/$projectId/traces'),
  traces,
  trace,
  compare,
  sessions,
  session,
  users,
  dashboard,
  scores.addChildren([
    defineHome(scores, '/p/$projectId/scores/results'),
    scoreResults,
    agreement,
    disagreements,
    reviewQueues,
    review,
  ]),
  metrics,
  logs,
  alerts,
  evaluators.addChildren([
    defineHome(evaluators, '/p/$projectId/evaluators/catalogue'),
    evaluatorCatalogue,
    collections,
    evaluationRuns,
    automaticEvaluation,
  ]),
  costCalculatorRoutes,
  syntheticRoutes,
  prices.addChildren([
    defineHome(prices, '/p/$projectId/prices/models'),
    modelPrices,
    customPrices,
    repricing,
  ]),
  storage,
  send,
  keys,
  defineNotFound(project),
])
